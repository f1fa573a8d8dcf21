import { isRental, type Listing } from '@passerelle/domain';
import { contactOf } from '../../kit/settings';
import type { ExportContext, ExportItem } from '../../kit/contracts';
import { textsFor } from '../../kit/languages';
import { photoAddress } from '../../kit/photo-address';
import { positionOf } from '../../kit/place';
import { choiceOf } from '../../kit/settings';
import { cleanText, fittingId } from '../../kit/text';
import { COUNTRIES, ORIENTATIONS, TYPES } from './lookups';

export const MOST_PHOTOS = 30;
const LONGEST_ID = 50;

type Json = Record<string, unknown>;

/** A classified. The API refuses members that it does not know, so nothing is written that it may not have. */
export function classifiedJson(item: ExportItem, context: ExportContext): string {
  const { listing } = item;
  const portals = choiceOf(context, 'portals', ['SL', 'BD', 'SL+BD']).split('+');
  const { name, email, phone } = contactOf(listing, context);
  const classified = {
    portals,
    data: { ...(given(dataOf(item, context)) as Json), location: locationOf(listing) },
    specific: { gsl: { mainContactPerson: { companyName: listing.agenceNom ?? name, phoneNumber: phone, email } } },
    // The order of the list is the order on the page.
    media: listing.photos.slice(0, MOST_PHOTOS).map((photo, at) => ({
      ...{ url: photoAddress(photo), mediaType: 'PICTURE' },
      ...(at === 0 && { category: 'COVER_PICTURE' }),
      title: photo.legende,
    })),
  };
  return JSON.stringify(given(classified), (_name, value: unknown) =>
    typeof value === 'string' ? cleanText(value) : value,
  );
}

/** The identifier at the portal. It must be that of the agency's former software, or every advert is doubled. */
export function estateId(advertId: string): string {
  return fittingId(advertId, LONGEST_ID);
}

function dataOf({ listing, advertId }: ExportItem, context: ExportContext): Json {
  const { estateType, subType } = TYPES[listing.typeCode ?? 'autre'];
  const {
    intitule,
    commentaires,
    language = context.placement.language,
  } = textsFor(listing, context.placement.language);
  return {
    ...{ estateType, estateSubType: subType, distributionType: isLet(listing) ? 'RENT' : 'BUY' },
    ...{ prices: pricesOf(listing), spaces: spacesOf(listing), structure: structureOf(listing) },
    ...{ conditions: { yearOfConstruction: listing.anneeConstruction }, energy: energyOf(listing) },
    features: featuresOf(listing),
    texts: { headline: { [language]: intitule }, description: { [language]: commentaires } },
    management: { countrySpecific: { fr: coOwnershipOf(listing) } },
    countrySpecific: { fr: { agentMandate: { mandateNumber: listing.mandatNum, mandateType: mandateOf(listing) } } },
    metaData: {
      source: {
        ...{ sourceSystem: 'Passerelle', sourceSystemVersion: '1' },
        ...{ offererMarketingKey: listing.affNum ?? estateId(advertId), offererEstateId: estateId(advertId) },
      },
    },
  };
}

function isLet({ typeTransaction }: Listing): boolean {
  return typeTransaction !== undefined && isRental(typeTransaction);
}

/** `street` and `houseNumber` must be there, empty if need be. */
function locationOf(listing: Listing): Json {
  const position = positionOf(listing);
  const [, houseNumber = '', street = listing.adresse ?? ''] =
    /^(\d+(?: ?(?:bis|ter|quater|[a-d]))?),? (.+)$/i.exec(listing.adresse ?? '') ?? [];
  return given({
    ...{ postalcode: listing.codePostal, city: listing.ville, street, houseNumber },
    ...{ country: COUNTRIES[listing.pays ?? ''], floorNumber: listing.etage },
    ...(position !== undefined && {
      geometry: { type: 'Point', coordinates: [position.longitude, position.latitude] },
      mapdisplayprecision: 'PARTIAL',
    }),
  }) as Json;
}

function pricesOf(listing: Listing): Json {
  const { prix, loyer, prixCurrency } = listing;
  if (isLet(listing)) return { currency: prixCurrency, rent: { baseRent: { amount: loyer } } };
  return {
    currency: prixCurrency,
    buy: { price: { amount: prix, isVatIncluded: true } },
    brokerageFee: feeOf(listing),
  };
}

/** The fee of a sale. Fees that the seller pays have no amount. */
function feeOf({ honoraires, honorairesUnite, honorairesCharge, honorairesBareme }: Listing): Json | undefined {
  if (honorairesCharge === undefined || honorairesCharge === 'locataire') return undefined;
  const isBuyer = honorairesCharge !== 'vendeur';
  return {
    ...{ hasFee: 'YES', feeFor: isBuyer ? 'BUYER_OR_TENANT' : 'SELLER_OR_LANDLORD', isFeeIncluded: true },
    amount: isBuyer && honorairesUnite === 'montant' ? honoraires : undefined,
    feePercentage: isBuyer && honorairesUnite === 'pourcentage' ? honoraires : undefined,
    countrySpecific: { fr: { feeScheduleLink: honorairesBareme } },
  };
}

/** The portal reads the area from three members. */
function spacesOf({ surfaceHabitable, surfaceTerrain }: Listing): Json {
  return {
    ...{ spaceMeasureUnit: 'SQUARE_METER', overallSpace: surfaceHabitable, usableFloorSpace: surfaceHabitable },
    ...{ plotSpace: surfaceTerrain, residential: { livingSpace: surfaceHabitable } },
  };
}

function structureOf(listing: Listing): Json {
  const { nbreSallesDeBain, nbreSallesEau, nbreParkings, parking, parkingType = '' } = listing;
  const bathrooms = (nbreSallesDeBain ?? 0) + (nbreSallesEau ?? 0);
  const spaces = nbreParkings ?? (parking === true ? 1 : undefined);
  return {
    rooms: {
      ...{ numberOfRooms: listing.nbrePieces, numberOfBedRooms: listing.nbreChambres },
      ...{ numberOfBathRooms: bathrooms === 0 ? undefined : bathrooms, numberOfToilets: listing.nbreWc },
      numberOfBalconies: listing.balcon === true ? 1 : undefined,
      numberOfTerraces: listing.terrasse === true ? 1 : undefined,
    },
    building: {
      ...{ numberOfFloors: listing.nbreEtages, cellar: yes(listing.cave), barrierFree: yes(listing.accessible) },
      elevator: { person: yes(listing.ascenseur) },
    },
    parkingLots: /\b(?:box|garages?)\b/i.test(parkingType) ? { garage: spaces } : { parkingArea: spaces },
  };
}

function featuresOf(listing: Listing): Json {
  return {
    propertyOrientation: ORIENTATIONS.find(([pattern]) => pattern.test(listing.exposition ?? ''))?.[1],
    ...{ aircondition: yes(listing.climatisation), furnished: listing.meuble === true ? 'FULL' : undefined },
    garden: listing.jardin === true ? { private: true } : undefined,
    residential: { chimney: yes(listing.cheminee), swimmingPool: yes(listing.piscine) },
  };
}

/** A French certificate: its class and figures, or why there are none. */
function energyOf({ energie, dpeClasse, dpeValeur, gesClasse, gesValeur, ...listing }: Listing): Json | undefined {
  const state = energie?.find(({ grandeur }) => grandeur === 'energie-primaire')?.statut;
  if (state === 'non-soumis') return certificate({ certificateType: 'NOT_APPLICABLE' });
  if (state !== undefined) return certificate({ certificateType: 'EMPTY' });
  const isLetter = (letter: string | undefined): boolean => /^[A-G]$/.test(letter ?? '');
  if (!isLetter(dpeClasse)) return undefined;
  const { dpeDate, dpeCoutMin, dpeCoutMax, dpeAnneeReference } = listing;
  return certificate({
    certificateType: dpeDate !== undefined && dpeDate < '2021-07-01' ? 'DPE_V01_2011' : 'DPE_V07_2021',
    ...{ overallEnergyNeed: whole(dpeValeur), efficiencyClass: dpeClasse, releaseDate: dpeDate?.slice(0, 10) },
    ...{ GHGEmission: whole(gesValeur), GHGEmissionClass: isLetter(gesClasse) ? gesClasse : undefined },
    ...{ energyConsumptionCostMin: whole(dpeCoutMin), energyConsumptionCostMax: whole(dpeCoutMax) },
    yearOfConsumptionCostEstimation:
      dpeAnneeReference === undefined ? undefined : Number(dpeAnneeReference.slice(0, 4)),
  });
}

function certificate(energyCertificate: Json): Json {
  return { countrySpecific: { fr: { energyCertificate } } };
}

function coOwnershipOf({ copropriete, coproLots, coproCharges, coproProcedure }: Listing): Json {
  if (copropriete !== true) return { isCondo: copropriete };
  return {
    ...{ isCondo: true, numberOfUnits: coproLots, operatingCostsPerYear: coproCharges },
    isSyndicProcedure: coproProcedure,
  };
}

function mandateOf({ exclusivite }: Listing): string | undefined {
  return exclusivite === undefined ? undefined : exclusivite ? 'EXCLUSIVE' : 'SIMPLE';
}

/** The API has a yes, and no word for no. */
function yes(value: boolean | undefined): string | undefined {
  return value === true ? 'YES' : undefined;
}

function whole(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value);
}

/** Without absent values and objects that become empty; texts may be empty. */
function given(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(given);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, given(member)] as const);
  const kept = members.filter(([, member]) => member !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
