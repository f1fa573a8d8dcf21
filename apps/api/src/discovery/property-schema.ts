import { type ListingField, TYPES_CODE, TYPES_TRANSACTION } from '@passerelle/domain';
import type { JsonSchema } from '../http/json-schema';

const text = (description?: string): JsonSchema => ({
  type: 'string',
  ...(description !== undefined && { description }),
});
const number = (description?: string): JsonSchema => ({
  type: 'number',
  ...(description !== undefined && { description }),
});
const flag = (description?: string): JsonSchema => ({
  type: 'boolean',
  ...(description !== undefined && { description }),
});
const textOrNumber = (description: string): JsonSchema => ({ type: ['string', 'number'], description });
const words = (list: readonly string[]): string => `One of: ${list.join(', ')}.`;

/** Every field of a listing; the compiler keeps the list complete. */
const FIELDS: Record<ListingField, JsonSchema> = {
  affId: text("Never changes during the listing's life; unique in its gateway."),
  affNum: text('The reference that people see; may repeat.'),
  passerelleName: text('The connector code.'),
  intitule: text('Title, plain text.'),
  commentaires: text('Description, plain text.'),
  typeTransaction: text(words(TYPES_TRANSACTION)),
  typeTransactionSource: text("The CRM's own word for the transaction."),
  typeCode: text(words(TYPES_CODE)),
  typeCodeSource: text("The CRM's own word for the property type."),
  prix: textOrNumber('Sale price in `prixCurrency`.'),
  prixSurDemande: flag('True when the price is given on request only.'),
  prixCurrency: text('ISO 4217.'),
  loyer: textOrNumber('Rent per month in `prixCurrency`.'),
  loyerPeriode: text('The period of the rent at the source when it is not the month.'),
  surfaceHabitable: textOrNumber('Living area in m².'),
  nbrePieces: textOrNumber('Rooms.'),
  nbreChambres: textOrNumber('Bedrooms.'),
  ville: text('Town.'),
  codePostal: text('Postcode; leading zeros are kept.'),
  pays: text('ISO 3166-1 alpha-2.'),
  adresse: text('Only when the agency lets it be shown.'),
  quartier: text('District.'),
  latitude: number(),
  longitude: number(),
  photos: {
    type: 'array',
    description:
      "In the feed's order; in the normalized model each is an object with `url`, `empreinte` and maybe `legende`.",
    items: { anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/Photo' }] },
  },
  agenceNom: text('Name of the agency.'),
  agenceTel: text(),
  negoNom: text('Name of the agent.'),
  negoEmail: text('E-mail address of the agent.'),
  negoTel: text(),
  surfaceTerrain: number('Land area in m².'),
  surfaceCarrez: number('Area by the Carrez act in m².'),
  nbreSallesDeBain: number('Bathrooms.'),
  nbreSallesEau: number('Shower rooms.'),
  etage: number('Floor; 0 is the ground floor.'),
  nbreEtages: number('Floors of the building.'),
  anneeConstruction: number(),
  meuble: flag('Furnished.'),
  exclusivite: flag(),
  neuf: flag(),
  balcon: flag(),
  terrasse: flag(),
  parking: flag(),
  ascenseur: flag(),
  piscine: flag(),
  charges: number('Monthly charges of a rental.'),
  depotGarantie: number('Deposit of a rental.'),
  honoraires: number('Agency fees; `honorairesUnite` says of what kind.'),
  honorairesUnite: text('`pourcentage` or `montant`.'),
  honorairesCharge: text('Who pays the fees: acquereur, vendeur, acquereur-et-vendeur or locataire.'),
  honorairesEtatDesLieux: number(),
  honorairesBareme: text('Address of the list of fees.'),
  prixHorsHonoraires: number(),
  bouquet: number('Down payment of a viager.'),
  rente: number('Monthly annuity of a viager.'),
  chargesModalite: text(),
  loyerBase: number(),
  loyerComplement: number(),
  loyerReferenceMajore: number(),
  loyerEncadrement: flag(),
  mandatNum: text(),
  mandatType: text(),
  taxeFonciere: number('Yearly property tax.'),
  copropriete: flag(),
  coproLots: number('Lots of the co-ownership.'),
  coproCharges: number('Yearly co-ownership charges.'),
  coproProcedure: flag('Whether proceedings are under way against the co-ownership.'),
  dpeClasse: text('Energy class A to G; VI (blank) and NS (not subject to it) also occur.'),
  dpeValeur: number('kWh/m²/year.'),
  gesClasse: text('Greenhouse gas class A to G.'),
  gesValeur: number('kg CO₂/m²/year.'),
  dpeDate: text('ISO 8601 date.'),
  dpeVersion: text(),
  dpeCoutMin: number('Lowest estimate of the yearly energy costs.'),
  dpeCoutMax: number('Highest estimate of the yearly energy costs.'),
  dpeAnneeReference: text('Year of the energy prices behind the two estimates.'),
  dpeEnergieFinale: number('kWh/m²/year.'),
  visiteVirtuelle: text('Address of a virtual tour.'),
  video: text('Address of a video.'),
  disponibilite: text('ISO 8601 date.'),
  dateCreation: text('ISO 8601.'),
  dateModification: text('ISO 8601.'),
};

export const PROPERTY_SCHEMAS: Record<string, JsonSchema> = {
  Property: {
    type: 'object',
    description:
      'One property in the normalized, generic model. A value that is not known is an absent member. Other members may be added.',
    properties: FIELDS,
    additionalProperties: true,
  },
  RawProperty: {
    type: 'object',
    description:
      'One property in the historic model: the record as the CRM delivered it, turned into JSON without interpretation and ' +
      'without private data, with `affId`, `affNum` and `passerelleName` added.',
    properties: { affId: FIELDS.affId, affNum: FIELDS.affNum, passerelleName: FIELDS.passerelleName },
    additionalProperties: true,
  },
  Photo: {
    type: 'object',
    properties: {
      url: text(),
      legende: text('Caption.'),
      empreinte: text('Changes when the photo changes, and only then.'),
    },
    additionalProperties: true,
  },
};

/** A property as the demo gateways serve them. */
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
