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
}

/** One photo of a listing, in the feed's order. */
export interface Photo {
  url: string;
  legende?: string;
  /** Changes when the photo changes and only then: a signed URL that is renewed keeps its fingerprint. */
  empreinte: string;
}

interface CommonDefinition {
  /** For people, without its full stop. It does not repeat the unit. */
  description?: string;
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
  typeTransaction: { kind: 'word', isCore: true, values: TYPES_TRANSACTION },
  typeTransactionSource: { kind: 'text', description: "The CRM's own word for the transaction" },
  typeCode: { kind: 'word', isCore: true, values: TYPES_CODE },
  typeCodeSource: { kind: 'text', description: "The CRM's own word for the property type" },
  prix: { kind: 'amount', isCore: true, description: 'Sale price in `prixCurrency`' },
  prixSurDemande: { kind: 'flag', description: 'True when the price is given on request only' },
  prixCurrency: { kind: 'text', isCore: true, description: 'ISO 4217' },
  loyer: { kind: 'amount', isCore: true, description: 'Rent per month in `prixCurrency`' },
  loyerPeriode: {
    ...{ kind: 'word', values: RENT_PERIODS },
    description: 'The period of the rent at the source when it is not the month',
  },
  surfaceHabitable: { kind: 'number', isCore: true, description: 'Living area', unit: 'm²' },
  nbrePieces: { kind: 'number', isCore: true, description: 'Rooms' },
  nbreChambres: { kind: 'number', isCore: true, description: 'Bedrooms' },
  ville: { kind: 'text', isCore: true, description: 'Town' },
  codePostal: { kind: 'text', isCore: true, description: 'Postcode; leading zeros are kept' },
  pays: { kind: 'text', description: 'ISO 3166-1 alpha-2' },
  adresse: { kind: 'text', description: 'Only when the agency lets it be shown' },
  quartier: { kind: 'text', description: 'District' },
  latitude: { kind: 'number', mayBeZero: true },
  longitude: { kind: 'number', mayBeZero: true },
  photos: {
    ...{ kind: 'photos', isCore: true, isRequired: true },
    description:
      "In the feed's order; in the normalized model each is an object with `url`, `empreinte` and maybe `legende`",
  },
  agenceNom: { kind: 'text', isCore: true, description: 'Name of the agency' },
  agenceTel: { kind: 'text' },
  negoNom: { kind: 'text', description: 'Name of the agent' },
  negoEmail: { kind: 'text', isCore: true, description: 'E-mail address of the agent' },
  negoTel: { kind: 'text' },
  surfaceTerrain: { kind: 'number', description: 'Land area', unit: 'm²' },
  surfaceCarrez: { kind: 'number', description: 'Area by the Carrez act', unit: 'm²' },
  nbreSallesDeBain: { kind: 'number', description: 'Bathrooms' },
  nbreSallesEau: { kind: 'number', description: 'Shower rooms' },
  etage: { kind: 'integer', mayBeZero: true, description: 'Floor; 0 is the ground floor' },
  nbreEtages: { kind: 'integer', description: 'Floors of the building' },
  anneeConstruction: { kind: 'integer' },
  meuble: { kind: 'flag', description: 'Furnished' },
  exclusivite: { kind: 'flag' },
  neuf: { kind: 'flag' },
  balcon: { kind: 'flag' },
  terrasse: { kind: 'flag' },
  parking: { kind: 'flag' },
  ascenseur: { kind: 'flag' },
  piscine: { kind: 'flag' },
  charges: { kind: 'amount', description: 'Monthly charges of a rental' },
  depotGarantie: { kind: 'amount', description: 'Deposit of a rental' },
  honoraires: { kind: 'number', description: 'Agency fees; `honorairesUnite` says of what kind' },
  honorairesUnite: { kind: 'word', values: FEE_UNITS, description: '`pourcentage` or `montant`' },
  honorairesCharge: {
    ...{ kind: 'word', values: FEE_PAYERS },
    description: 'Who pays the fees: acquereur, vendeur, acquereur-et-vendeur or locataire',
  },
  honorairesEtatDesLieux: { kind: 'amount' },
  honorairesBareme: { kind: 'url', description: 'Address of the list of fees' },
  prixHorsHonoraires: { kind: 'amount' },
  bouquet: { kind: 'amount', description: 'Down payment of a viager' },
  rente: { kind: 'amount', description: 'Monthly annuity of a viager' },
  chargesModalite: { kind: 'text' },
  loyerBase: { kind: 'amount' },
  loyerComplement: { kind: 'amount' },
  loyerReferenceMajore: { kind: 'amount' },
  loyerEncadrement: { kind: 'flag' },
  mandatNum: { kind: 'text' },
  mandatType: { kind: 'text' },
  taxeFonciere: { kind: 'amount', description: 'Yearly property tax' },
  copropriete: { kind: 'flag' },
  coproLots: { kind: 'integer', description: 'Lots of the co-ownership' },
  coproCharges: { kind: 'amount', description: 'Yearly co-ownership charges' },
  coproProcedure: { kind: 'flag', description: 'Whether proceedings are under way against the co-ownership' },
  dpeClasse: {
    kind: 'text',
    description: 'Energy class A to G; VI (blank) and NS (not subject to it) also occur',
  },
  dpeValeur: { kind: 'number', unit: 'kWh/m²/year' },
  gesClasse: { kind: 'text', description: 'Greenhouse gas class A to G' },
  gesValeur: { kind: 'number', unit: 'kg CO₂/m²/year' },
  dpeDate: { kind: 'day' },
  dpeVersion: { kind: 'text' },
  dpeCoutMin: { kind: 'amount', description: 'Lowest estimate of the yearly energy costs' },
  dpeCoutMax: { kind: 'amount', description: 'Highest estimate of the yearly energy costs' },
  // A year, or the date where the feed gives one.
  dpeAnneeReference: { kind: 'text', description: 'Year of the energy prices behind the two estimates' },
  dpeEnergieFinale: { kind: 'number', unit: 'kWh/m²/year' },
  visiteVirtuelle: { kind: 'url', description: 'Address of a virtual tour' },
  video: { kind: 'url', description: 'Address of a video' },
  disponibilite: { kind: 'day' },
  dateCreation: { kind: 'date' },
  dateModification: { kind: 'date' },
} as const satisfies Record<string, FieldDefinition>;
