import { FEE_PAYERS, FEE_UNITS, RENT_PERIODS, TYPES_CODE, TYPES_TRANSACTION } from './vocabulary';

/** What a value of each kind is. A zero means "unknown" in no kind: an unknown value is an absent field. */
export interface KindValues {
  /** Plain text: no markup, no control characters. */
  text: string;
  /** One word of `values`. */
  word: string;
  /** An http(s) address. */
  url: string;
  /** ISO 8601, the day only. */
  day: string;
  /** ISO 8601, with its time where the feed gives one. */
  date: string;
  number: number;
  integer: number;
  /** In the currency that `prixCurrency` names. */
  amount: number;
  flag: boolean;
  photos: Photo[];
  /** By language, ISO 639-1. */
  texts: Record<string, LanguageTexts>;
}

/** A listing's texts in one language: plain text, one of them at least. */
export interface LanguageTexts {
  intitule?: string;
  commentaires?: string;
}

/** One photo of a listing, in the feed's order. */
export interface Photo {
  url: string;
  legende?: string;
  /** In pixels, as a viewer sees it. */
  largeur?: number;
  hauteur?: number;
  /** Changes when the photo changes and only then: a signed URL that is renewed keeps its fingerprint. */
  empreinte: string;
}

interface CommonDefinition {
  /** For people, without its full stop. It does not repeat the unit. */
  description: string;
  unit?: string;
  /** The API contract lists it; the other fields are extensions. */
  isCore?: true;
  /** Every listing has it. */
  isRequired?: true;
  /** A zero is a value of its own. */
  mayBeZero?: true;
}

/** What there is to know about one field of a listing. */
export type FieldDefinition = CommonDefinition &
  ({ kind: Exclude<keyof KindValues, 'word'> } | { kind: 'word'; values: readonly string[] });

/**
 * Every field of a listing, in the order in which it is sent. The type `Listing`, the OpenAPI schema, the checks of the
 * connectors' suite and what a new connector starts with derive from this table.
 */
export const FIELD_DEFINITIONS = {
  affId: {
    ...{ kind: 'text', isCore: true, isRequired: true },
    description: "Never changes during the listing's life; unique in its gateway",
  },
  affNum: { kind: 'text', isCore: true, description: 'The reference that people see; may repeat' },
  passerelleName: { kind: 'text', isCore: true, isRequired: true, description: 'The connector code' },
  intitule: { kind: 'text', isCore: true, description: 'Title, plain text' },
  commentaires: { kind: 'text', isCore: true, description: 'Description, plain text' },
  textes: { kind: 'texts', description: 'Title and description in further languages, by ISO 639-1 code' },
  url: { kind: 'url', description: "Address of the listing's own page" },
  typeTransaction: { kind: 'word', isCore: true, values: TYPES_TRANSACTION, description: 'What is offered' },
  typeTransactionSource: { kind: 'text', description: "The CRM's own word for the transaction" },
  typeCode: { kind: 'word', isCore: true, values: TYPES_CODE, description: 'What kind of property it is' },
  typeCodeSource: { kind: 'text', description: "The CRM's own word for the property type" },
  prix: { kind: 'amount', isCore: true, description: 'Sale price' },
  prixSurDemande: { kind: 'flag', description: 'True when the price is given on request only' },
  prixCurrency: { kind: 'text', isCore: true, description: 'ISO 4217' },
  loyer: { kind: 'amount', isCore: true, description: 'Rent per month' },
  loyerPeriode: {
    ...{ kind: 'word', values: RENT_PERIODS },
    description: 'The period of the rent at the source when it is not the month',
  },
  sousOffre: { kind: 'flag', description: 'Under offer: an offer was accepted, nothing is signed' },
  surfaceHabitable: { kind: 'number', isCore: true, description: 'Living area', unit: 'm²' },
  nbrePieces: { kind: 'number', isCore: true, description: 'Rooms' },
  nbreChambres: { kind: 'number', isCore: true, description: 'Bedrooms' },
  ville: { kind: 'text', isCore: true, description: 'Town' },
  codePostal: { kind: 'text', isCore: true, description: 'Postcode; leading zeros are kept' },
  pays: { kind: 'text', description: 'ISO 3166-1 alpha-2' },
  adresse: { kind: 'text', description: 'Only when the agency lets it be shown' },
  quartier: { kind: 'text', description: 'District' },
  latitude: {
    kind: 'number',
    mayBeZero: true,
    description: 'In WGS 84; two decimals where the exact position may not be shown',
  },
  longitude: {
    kind: 'number',
    mayBeZero: true,
    description: 'In WGS 84; two decimals where the exact position may not be shown',
  },
  photos: {
    ...{ kind: 'photos', isCore: true, isRequired: true },
    description:
      "In the feed's order; in the normalized model each is an object with `url`, `empreinte` and maybe `legende`, `largeur` and `hauteur`",
  },
  agenceNom: { kind: 'text', isCore: true, description: 'Name of the agency' },
  agenceTel: { kind: 'text', description: 'Telephone number of the agency' },
  negoNom: { kind: 'text', description: 'Name of the agent' },
  negoEmail: { kind: 'text', isCore: true, description: 'E-mail address of the agent' },
  negoTel: { kind: 'text', description: 'Telephone number of the agent' },
  surfaceTerrain: { kind: 'number', description: 'Land area', unit: 'm²' },
  surfaceCarrez: { kind: 'number', description: 'Area by the Carrez act', unit: 'm²' },
  nbreSallesDeBain: { kind: 'number', description: 'Bathrooms' },
  nbreSallesEau: { kind: 'number', description: 'Shower rooms' },
  etage: { kind: 'integer', mayBeZero: true, description: 'Floor; 0 is the ground floor' },
  nbreEtages: { kind: 'integer', description: 'Floors of the building' },
  anneeConstruction: { kind: 'integer', description: 'Year of construction' },
  meuble: { kind: 'flag', description: 'Furnished' },
  exclusivite: { kind: 'flag', description: 'Whether the agency alone has the mandate' },
  neuf: { kind: 'flag', description: 'Whether it is new' },
  balcon: { kind: 'flag', description: 'Whether there is a balcony' },
  terrasse: { kind: 'flag', description: 'Whether there is a terrace' },
  parking: { kind: 'flag', description: 'Whether there is a parking space or a garage' },
  ascenseur: { kind: 'flag', description: 'Whether there is a lift' },
  piscine: { kind: 'flag', description: 'Whether there is a swimming pool' },
  charges: { kind: 'amount', description: 'Monthly charges of a rental' },
  depotGarantie: { kind: 'amount', description: 'Deposit of a rental' },
  honoraires: { kind: 'number', description: 'Agency fees; `honorairesUnite` says of what kind' },
  honorairesUnite: {
    kind: 'word',
    values: FEE_UNITS,
    description: 'What `honoraires` counts: a share of the price or an amount',
  },
  honorairesCharge: {
    ...{ kind: 'word', values: FEE_PAYERS },
    description: 'Who pays the fees',
  },
  honorairesEtatDesLieux: { kind: 'amount', description: 'Share of the inventory in the fees that a tenant pays' },
  honorairesBareme: { kind: 'url', description: 'Address of the list of fees' },
  prixHorsHonoraires: { kind: 'amount', description: 'Price without the fees' },
  bouquet: { kind: 'amount', description: 'Down payment of a viager' },
  rente: { kind: 'amount', description: 'Monthly annuity of a viager' },
  chargesModalite: { kind: 'text', description: 'How the charges of a rental are paid' },
  loyerBase: { kind: 'amount', description: 'Rent without the supplement, where rents are limited' },
  loyerComplement: { kind: 'amount', description: 'Supplement to the rent, where rents are limited' },
  loyerReferenceMajore: { kind: 'amount', description: 'Highest reference rent, where rents are limited' },
  loyerEncadrement: { kind: 'flag', description: 'Whether rents are limited where the property stands' },
  mandatNum: { kind: 'text', description: 'Number of the mandate' },
  mandatType: { kind: 'text', description: 'Kind of the mandate, in words of the CRM' },
  taxeFonciere: { kind: 'amount', description: 'Yearly property tax' },
  copropriete: { kind: 'flag', description: 'Whether it is part of a co-ownership' },
  coproLots: { kind: 'integer', description: 'Lots of the co-ownership' },
  coproCharges: { kind: 'amount', description: 'Yearly co-ownership charges' },
  coproProcedure: { kind: 'flag', description: 'Whether proceedings are under way against the co-ownership' },
  dpeClasse: {
    kind: 'text',
    description: 'Energy class A to G; VI (blank) and NS (not subject to it) also occur',
  },
  dpeValeur: { kind: 'number', unit: 'kWh/m²/year', description: 'Consumption of primary energy' },
  gesClasse: { kind: 'text', description: 'Greenhouse gas class A to G' },
  gesValeur: { kind: 'number', unit: 'kg CO₂/m²/year', description: 'Emissions of greenhouse gases' },
  dpeDate: { kind: 'day', description: 'Day of the energy certificate' },
  dpeVersion: { kind: 'text', description: 'Method of the energy certificate' },
  dpeCoutMin: { kind: 'amount', description: 'Lowest estimate of the yearly energy costs' },
  dpeCoutMax: { kind: 'amount', description: 'Highest estimate of the yearly energy costs' },
  // A year, or the date where the feed gives one.
  dpeAnneeReference: { kind: 'text', description: 'Year of the energy prices behind the two estimates' },
  dpeEnergieFinale: { kind: 'number', unit: 'kWh/m²/year', description: 'Consumption of final energy' },
  visiteVirtuelle: { kind: 'url', description: 'Address of a virtual tour' },
  video: { kind: 'url', description: 'Address of a video' },
  disponibilite: { kind: 'day', description: 'Day from which it is available' },
  dateCreation: { kind: 'date', description: 'When the record was made in the CRM' },
  dateModification: { kind: 'date', description: 'When the record was last changed in the CRM' },
} as const satisfies Record<string, FieldDefinition>;
