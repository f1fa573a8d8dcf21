import {
  ENERGY_BASES,
  ENERGY_QUANTITIES,
  ENERGY_SCALES,
  ENERGY_STATES,
  type EnergyFigure,
  type Link,
  type MaterialFact,
  type Mention,
  type PeriodicAmount,
  type Range,
  RENT_PERIODS,
} from '@passerelle/domain';
import type { JsonSchema } from './json-schema';

/** A schema for every member of a type: the compiler reports missing ones. */
type Members<T> = { readonly [K in keyof T]-?: JsonSchema };

const RANGE: Members<Range> = {
  min: { type: 'number', description: 'The least.' },
  max: { type: 'number', description: 'The most.' },
};

const PERIODIC: Members<PeriodicAmount> = {
  montant: { type: 'number', description: 'The amount, in `prixCurrency`.' },
  periode: { type: 'string', enum: RENT_PERIODS, description: 'The period that it covers, where the source says it.' },
};

export function structureOf(kind: 'range' | 'periodic'): Pick<JsonSchema, 'properties' | 'additionalProperties'> {
  return { properties: { ...(kind === 'range' ? RANGE : PERIODIC) }, additionalProperties: true };
}

const LINK: Members<Link> = {
  url: { type: 'string', description: 'Address of the document.' },
  titre: { type: 'string', description: 'Its title at the source.' },
  empreinte: { type: 'string', description: 'Changes when the document changes, and only then.' },
};

const FIGURE: Members<EnergyFigure> = {
  pays: { type: 'string', description: 'ISO 3166-1 alpha-2.' },
  echelle: {
    type: 'string',
    enum: Object.keys(ENERGY_SCALES),
    description: 'The scale of `classe`; absent when country and region do not determine it.',
  },
  grandeur: { type: 'string', enum: ENERGY_QUANTITIES, description: 'The measured quantity.' },
  classe: { type: 'string', description: 'The class, as the certificate has it on that scale.' },
  valeur: { type: 'number', description: 'The value, in `unite`.' },
  unite: { type: 'string', description: 'Unit of `valeur`.' },
  base: { type: 'string', enum: ENERGY_BASES, description: 'Calculated for the building, or measured.' },
  vecteurs: {
    type: 'array',
    items: { type: 'string' },
    description: 'Carriers of the energy, in words of the source.',
  },
  numero: { type: 'string', description: 'Number of the certificate.' },
  date: { type: 'string', description: 'Day of the certificate; ISO 8601 date.' },
  valableJusque: { type: 'string', description: 'Last day of its validity; ISO 8601 date.' },
  coutMin: { type: 'number', description: 'Lowest estimate of the yearly costs, in `prixCurrency`.' },
  coutMax: { type: 'number', description: 'Highest estimate of the yearly costs, in `prixCurrency`.' },
  prixAnnee: { type: 'string', description: 'Year or day of the energy prices behind the costs.' },
  methode: { type: 'string', description: 'Method or version of the certificate, in words of the source.' },
  annee: { type: 'number', description: 'Year of the building, as the certificate has it.' },
  eauChaude: { type: 'boolean', description: 'Whether hot water is counted.' },
  electricite: { type: 'boolean', description: 'Whether electricity is counted.' },
  statut: { type: 'string', enum: ENERGY_STATES, description: 'Why there is no class.' },
};

const MENTION: Members<Mention> = {
  code: { type: 'string', description: 'Which sentence it is.' },
  pays: { type: 'string', description: 'ISO 3166-1 alpha-2 of the country whose law requires it.' },
  langue: { type: 'string', description: 'Language of `texte`, ISO 639-1.' },
  texte: { type: 'string', description: 'The sentence, plain text.' },
  source: { type: 'string', description: 'The text of law.' },
};

const FACT: Members<MaterialFact> = {
  partie: { type: 'string', enum: ['A', 'B', 'C'], description: 'Part of the material information.' },
  sujet: { type: 'string', description: 'Its subject.' },
  texte: { type: 'string', description: 'The fact, in words of the source.' },
};

export const KIND_SCHEMAS: Record<string, JsonSchema> = {
  EnergyFigure: object('One figure of an energy certificate.', FIGURE, ['pays', 'grandeur']),
  Mention: object('A sentence that the law requires in the advert.', MENTION, [
    ...(['code', 'pays', 'langue', 'texte', 'source'] as const),
  ]),
  Link: object('A document that the source gives to the public.', LINK, ['url']),
  MaterialFact: object('A part of the material information of a British advert.', FACT, ['partie', 'sujet', 'texte']),
};

function object<T>(description: string, properties: Members<T>, required: readonly (keyof T & string)[]): JsonSchema {
  return { type: 'object', description, properties: { ...properties }, required, additionalProperties: true };
}
