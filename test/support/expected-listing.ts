import { CORE_FIELDS, type CoreField, type Listing } from '@passerelle/domain';
import { hasPhotoFiles } from '../../tools/simulator/feeds/poliris';
import { isRent, type Property, type SimulatedCrm } from '../../tools/simulator/property';
import type { Simulator } from '../../tools/simulator/simulator';
import { AGENCIES } from '../../tools/simulator/invented-world';

/** The fields of the API contract, with photo URLs instead of photos, and the field for a listing without a price. */
export type CoreListing = Record<CoreField | 'prixSurDemande', unknown>;

const PLACE_OF_FILES = /\/media\/[0-9a-f]{64}\.jpg$/;
const M2_PER_SQUARE_FOOT = 0.092_903_04;

/** A listing from the API, reduced to the fields that `expectedCore` computes. */
export function coreOf(listing: Listing): CoreListing {
  const core = Object.fromEntries(CORE_FIELDS.map((field) => [field, listing[field]])) as Record<CoreField, unknown>;
  return {
    ...core,
    prixSurDemande: listing.prixSurDemande,
    // Round converted areas to the hundredth, and converted rents to the euro.
    surfaceHabitable: rounded(listing.surfaceHabitable, 100),
    loyer: rounded(listing.loyer, 1),
    photos: listing.photos.map(({ url }) => (PLACE_OF_FILES.test(url) ? 'came as a file' : url)),
    // Kyero's format has no titles, so the connector builds them.
    ...(listing.passerelleName === 'kyero' && { intitule: titleRemark(listing) }),
  };
}

/** The core fields that the connector must create from a generated property. */
export function expectedCore(simulator: Simulator, crm: SimulatedCrm, property: Property): CoreListing {
  const { price } = property;
  const rent = price !== null && isRent(property) ? monthly(price, property.rentPeriod) : undefined;
  return {
    affId: crm === 'poliris' ? `${AGENCIES.poliris.id}-${property.id}` : String(property.id),
    affNum: property.reference,
    passerelleName: crm,
    intitule: crm === 'kyero' ? 'has a title with its town' : property.title,
    commentaires: property.text.join('\n'),
    typeTransaction: property.offer,
    typeCode: property.kind,
    prix: price !== null && !isRent(property) ? price : undefined,
    prixSurDemande: price === null ? true : undefined,
    prixCurrency: 'EUR',
    loyer: rent === undefined ? undefined : Math.round(rent),
    surfaceHabitable: surfaceAsSent(crm, property),
    nbrePieces: crm === 'kyero' ? undefined : (property.rooms ?? undefined),
    nbreChambres: property.bedrooms ?? undefined,
    ville: property.town.name,
    codePostal: crm === 'kyero' && property.variant % 2 === 1 ? undefined : property.town.postcode,
    photos:
      crm === 'poliris' && hasPhotoFiles(property)
        ? property.photos.map(() => 'came as a file')
        : simulator.photoUrls(crm, property),
    agenceNom: AGENCIES[crm].name,
    negoEmail: crm === 'kyero' && property.variant % 3 !== 0 ? AGENCIES.kyero.email : property.negotiator.email,
  };
}

/** Some agencies of Apimo write areas in whole square feet. */
function surfaceAsSent(crm: SimulatedCrm, { surfaceM2, variant }: Property): number | undefined {
  if (surfaceM2 === null || crm !== 'apimo' || variant !== 0) return surfaceM2 ?? undefined;
  return rounded(Math.round(surfaceM2 / M2_PER_SQUARE_FOOT) * M2_PER_SQUARE_FOOT, 100);
}

function monthly(price: number, period: Property['rentPeriod']): number {
  return period === 'semaine' ? (price * 52) / 12 : price;
}

function rounded(value: number | undefined, parts: number): number | undefined {
  return value === undefined ? undefined : Math.round(value * parts) / parts;
}

function titleRemark({ intitule, ville }: Listing): string {
  return intitule?.includes(ville ?? '') === true ? 'has a title with its town' : `is titled "${intitule ?? ''}"`;
}
