import {
  FIELD_DEFINITIONS,
  type FieldDefinition,
  LISTING_FIELDS,
  type ListingField,
  RAW_IDENTITY_FIELDS,
} from '@passerelle/domain';
import type { JsonSchema } from './json-schema';
import { KIND_SCHEMAS, structureOf } from './kind-schemas';

const JSON_TYPES = {
  ...{ text: 'string', word: 'string', url: 'string', day: 'string', date: 'string' },
  ...{ number: 'number', integer: 'number', amount: 'number', flag: 'boolean', photos: 'array', texts: 'object' },
  ...{ language: 'string', words: 'array', links: 'array', energy: 'array', mentions: 'array', facts: 'array' },
  ...{ range: 'object', periodic: 'object' },
} as const satisfies Record<FieldDefinition['kind'], JsonSchema['type']>;

function schemasOf(fields: readonly ListingField[]): Record<string, JsonSchema> {
  return Object.fromEntries(fields.map((field) => [field, schemaOf(FIELD_DEFINITIONS[field])]));
}

function schemaOf(definition: FieldDefinition): JsonSchema {
  const { kind } = definition;
  const type = JSON_TYPES[kind];
  return {
    // The API contract allows text instead of a number for these fields.
    type: type === 'number' && definition.isCore === true ? ['string', 'number'] : type,
    description: descriptionOf(definition),
    ...(kind === 'word' && { enum: definition.values }),
    ...(kind === 'photos' && { items: { anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/Photo' }] } }),
    ...(kind === 'texts' && { additionalProperties: { $ref: '#/components/schemas/LanguageTexts' } }),
    ...(kind === 'words' && { items: { type: 'string' } }),
    ...(kind in ELEMENTS && { items: { $ref: `#/components/schemas/${ELEMENTS[kind] ?? ''}` } }),
    ...((kind === 'range' || kind === 'periodic') && structureOf(kind)),
  };
}

const ELEMENTS: Partial<Record<FieldDefinition['kind'], string>> = {
  links: 'Link',
  energy: 'EnergyFigure',
  mentions: 'Mention',
  facts: 'MaterialFact',
};

const NOTATIONS: Partial<Record<FieldDefinition['kind'], string>> = {
  amount: 'in `prixCurrency`',
  day: 'ISO 8601 date',
  date: 'ISO 8601',
};

function descriptionOf({ kind, description, unit }: FieldDefinition): string {
  const notation = unit === undefined ? NOTATIONS[kind] : `in ${unit}`;
  return notation === undefined ? `${description}.` : `${description}; ${notation}.`;
}

export const PROPERTY_SCHEMAS: Record<string, JsonSchema> = {
  Property: {
    type: 'object',
    description:
      'One property in the normalized, generic model. Unknown values are absent members. Other members may be added.',
    properties: schemasOf(LISTING_FIELDS),
    additionalProperties: true,
  },
  ...KIND_SCHEMAS,
  RawProperty: {
    type: 'object',
    description:
      'One property in the historic model: the record as the CRM delivered it, turned into JSON without interpretation and ' +
      'without private data, with `affId`, `affNum` and `passerelleName` added.',
    properties: schemasOf(RAW_IDENTITY_FIELDS),
    additionalProperties: true,
  },
  Photo: {
    type: 'object',
    description: 'One photo of the normalized model.',
    properties: {
      url: { type: 'string', description: 'Address of the photo.' },
      legende: { type: 'string', description: 'Caption.' },
      largeur: { type: 'integer', minimum: 1, description: 'Width in pixels, where it is known.' },
      hauteur: { type: 'integer', minimum: 1, description: 'Height in pixels, where it is known.' },
      empreinte: { type: 'string', description: 'Changes when the photo changes, and only then.' },
    },
    additionalProperties: true,
  },
  LanguageTexts: {
    type: 'object',
    description: 'The texts of the source in one language.',
    properties: {
      intitule: { type: 'string', description: 'Title, plain text.' },
      commentaires: { type: 'string', description: 'Description, plain text.' },
    },
    additionalProperties: true,
  },
};

export const PROPERTY_EXAMPLE = {
  affId: 'DEMO-0001',
  affNum: 'REF-0001',
  passerelleName: 'kyero',
  intitule: 'Maison 5 pièces à Lyon',
  commentaires: 'Une maison claire avec un jardin.',
  typeTransaction: 'vente',
  typeCode: 'maison',
  prix: 420000,
  prixCurrency: 'EUR',
  surfaceHabitable: 118,
  nbrePieces: 5,
  nbreChambres: 3,
  ville: 'Lyon',
  codePostal: '69003',
  photos: [{ url: 'https://photos.example/1.jpg', empreinte: '8f14e45f' }],
  agenceNom: 'Agence du Parc',
  negoEmail: 'contact@agence.example',
};
