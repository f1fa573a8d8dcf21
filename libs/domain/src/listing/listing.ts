import type { TypeCode, TypeTransaction } from './vocabulary';

/** One photo of a listing, in the feed's order. */
export interface Photo {
  url: string;
  legende?: string;
  /** Changes when the photo changes and only then: a signed URL that is renewed keeps its fingerprint. */
  empreinte: string;
}

/**
 * One item in our words. Core fields follow the API contract, the others are extensions.
 * An absent value is an absent key: never null, an empty string, or a zero that means "unknown".
 */
export interface Listing {
  /** Never changes during the listing's life; unique in its gateway. */
  affId: string;
  /** The reference people see; may repeat. */
  affNum?: string;
  /** The connector code. */
  passerelleName: string;
  intitule?: string;
  /** Plain text. */
  commentaires?: string;
  typeTransaction?: TypeTransaction;
  typeTransactionSource?: string;
  typeCode?: TypeCode;
  typeCodeSource?: string;
  /** Sale price in `prixCurrency`. */
  prix?: number;
  prixSurDemande?: boolean;
  /** ISO 4217. */
  prixCurrency?: string;
  /** Rent per month in `prixCurrency`. */
  loyer?: number;
  /** The period of the rent in the feed when it was not a month. */
  loyerPeriode?: RentPeriod;
  /** m². */
  surfaceHabitable?: number;
  nbrePieces?: number;
  nbreChambres?: number;
  ville?: string;
  /** Text: leading zeros are kept. */
  codePostal?: string;
  /** ISO 3166-1 alpha-2. */
  pays?: string;
  adresse?: string;
  quartier?: string;
  latitude?: number;
  longitude?: number;
  photos: Photo[];
  agenceNom?: string;
  agenceTel?: string;
  negoNom?: string;
  negoEmail?: string;
  negoTel?: string;
  /** m². */
  surfaceTerrain?: number;
  /** m². */
  surfaceCarrez?: number;
  nbreSallesDeBain?: number;
  nbreSallesEau?: number;
  /** 0 is the ground floor. */
  etage?: number;
  nbreEtages?: number;
  anneeConstruction?: number;
  meuble?: boolean;
  exclusivite?: boolean;
  neuf?: boolean;
  balcon?: boolean;
  terrasse?: boolean;
  parking?: boolean;
  ascenseur?: boolean;
  piscine?: boolean;
  charges?: number;
  depotGarantie?: number;
  honoraires?: number;
  /** What `honoraires` counts: a share of the price or an amount. */
  honorairesUnite?: 'pourcentage' | 'montant';
  honorairesCharge?: 'acquereur' | 'vendeur' | 'acquereur-et-vendeur' | 'locataire';
  honorairesEtatDesLieux?: number;
  honorairesBareme?: string;
  prixHorsHonoraires?: number;
  bouquet?: number;
  rente?: number;
  chargesModalite?: string;
  loyerBase?: number;
  loyerComplement?: number;
  loyerReferenceMajore?: number;
  loyerEncadrement?: boolean;
  mandatNum?: string;
  mandatType?: string;
  taxeFonciere?: number;
  copropriete?: boolean;
  coproLots?: number;
  coproCharges?: number;
  coproProcedure?: boolean;
  /** Energy class A to G; `VI` (blank) and `NS` (not subject to it) also occur. */
  dpeClasse?: string;
  /** kWh/m²/year. */
  dpeValeur?: number;
  gesClasse?: string;
  /** kg CO₂/m²/year. */
  gesValeur?: number;
  dpeDate?: string;
  dpeVersion?: string;
  dpeCoutMin?: number;
  dpeCoutMax?: number;
  /** The year of the energy prices behind the two costs, or the date where the feed gives one. */
  dpeAnneeReference?: string;
  dpeEnergieFinale?: number;
  visiteVirtuelle?: string;
  video?: string;
  /** ISO 8601 date. */
  disponibilite?: string;
  /** ISO 8601. */
  dateCreation?: string;
  /** ISO 8601. */
  dateModification?: string;
}

export type RentPeriod = 'jour' | 'semaine' | 'quinzaine' | 'mois' | 'trimestre' | 'semestre' | 'an';

export type ListingField = keyof Listing;

/** Every field of a listing, in the order in which it is sent. The compiler keeps the list complete. */
export const LISTING_FIELDS = Object.keys({
  affId: 0,
  affNum: 0,
  passerelleName: 0,
  intitule: 0,
  commentaires: 0,
  typeTransaction: 0,
  typeTransactionSource: 0,
  typeCode: 0,
  typeCodeSource: 0,
  prix: 0,
  prixSurDemande: 0,
  prixCurrency: 0,
  loyer: 0,
  loyerPeriode: 0,
  surfaceHabitable: 0,
  nbrePieces: 0,
  nbreChambres: 0,
  ville: 0,
  codePostal: 0,
  pays: 0,
  adresse: 0,
  quartier: 0,
  latitude: 0,
  longitude: 0,
  photos: 0,
  agenceNom: 0,
  agenceTel: 0,
  negoNom: 0,
  negoEmail: 0,
  negoTel: 0,
  surfaceTerrain: 0,
  surfaceCarrez: 0,
  nbreSallesDeBain: 0,
  nbreSallesEau: 0,
  etage: 0,
  nbreEtages: 0,
  anneeConstruction: 0,
  meuble: 0,
  exclusivite: 0,
  neuf: 0,
  balcon: 0,
  terrasse: 0,
  parking: 0,
  ascenseur: 0,
  piscine: 0,
  charges: 0,
  depotGarantie: 0,
  honoraires: 0,
  honorairesUnite: 0,
  honorairesCharge: 0,
  honorairesEtatDesLieux: 0,
  honorairesBareme: 0,
  prixHorsHonoraires: 0,
  bouquet: 0,
  rente: 0,
  chargesModalite: 0,
  loyerBase: 0,
  loyerComplement: 0,
  loyerReferenceMajore: 0,
  loyerEncadrement: 0,
  mandatNum: 0,
  mandatType: 0,
  taxeFonciere: 0,
  copropriete: 0,
  coproLots: 0,
  coproCharges: 0,
  coproProcedure: 0,
  dpeClasse: 0,
  dpeValeur: 0,
  gesClasse: 0,
  gesValeur: 0,
  dpeDate: 0,
  dpeVersion: 0,
  dpeCoutMin: 0,
  dpeCoutMax: 0,
  dpeAnneeReference: 0,
  dpeEnergieFinale: 0,
  visiteVirtuelle: 0,
  video: 0,
  disponibilite: 0,
  dateCreation: 0,
  dateModification: 0,
} satisfies Record<ListingField, 0>) as readonly ListingField[];
