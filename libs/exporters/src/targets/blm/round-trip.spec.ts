import { isRental, type Listing, type ListingField, type PeriodicAmount } from '@passerelle/domain';
import { fixtureListings } from '../../../../../test/support/targets/fixture-listings';
import { PUBLISHED_AT_MS } from '../../../../../test/support/targets/placements';
import { type Differences, roundTripProblems } from '../../../../../test/support/targets/round-trip';
import { textsFor } from '../../kit/languages';
import { toLatin1 } from '../../kit/latin1';
import { positionOf } from '../../kit/place';
import { OFFERS, QUALIFIERS, TENURES } from './lookups';
import { agentRefOf, displayAddress } from './mapping';
import { target } from './target';

/** Adds the needs of every property that a fixture lacks. */
function fit(listing: Listing): Listing {
  const { typeTransaction, codePostal = '' } = listing;
  const fitted: Listing = {
    ...{ ville: 'Sampletown', typeCode: 'maison', commentaires: 'Text' },
    ...listing,
    ...{ pays: 'GB', prixCurrency: 'GBP' },
    codePostal: /^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$/.test(codePostal) ? codePostal : 'ZZ1 1AA',
    typeTransaction: typeTransaction !== undefined && OFFERS.includes(typeTransaction) ? typeTransaction : 'vente',
  };
  if ((isRental(fitted.typeTransaction!) ? fitted.loyer : fitted.prix) === undefined) fitted.prixSurDemande = true;
  // A point of another country is not in Great Britain.
  if (listing.pays !== 'GB') {
    delete fitted.latitude;
    delete fitted.longitude;
  }
  if (fitted.statut === 'vendu' || fitted.statut === 'loue') delete fitted.statut;
  return fitted;
}

const none = (): undefined => undefined;
const isRent = ({ typeTransaction }: Listing): boolean => isRental(typeTransaction!);
const ofLetting = (field: ListingField) => (listing: Listing) => (isRent(listing) ? listing[field] : undefined);
const text = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : toLatin1(value).replaceAll('~', '-').replaceAll('^', ' ').trim();
const seconds = (date: string | undefined): string | undefined =>
  date === undefined ? undefined : `${date.slice(0, 10)}${date.length > 10 ? date.slice(10, 19) : 'T00:00:00'}`;
const isFilm = (address: string | undefined): boolean => /youtu|vimeo|\.mp4$/.test(address ?? '');
const yearly = (one: PeriodicAmount | undefined): PeriodicAmount | undefined =>
  one?.periode === 'an' ? one : undefined;
const service = ({ chargesService, coproCharges }: Listing): number | undefined =>
  yearly(chargesService)?.montant ?? coproCharges;
const rooms = ({ nbrePieces, nbreChambres }: Listing): number | undefined => {
  const living = nbrePieces === undefined ? 0 : Math.floor(nbrePieces - (nbreChambres ?? 0));
  return living > 0 ? living + Math.floor(nbreChambres ?? 0) : undefined;
};
const lower = (words: Readonly<Record<string, number>>, word: string | undefined): string | undefined =>
  word !== undefined && Object.hasOwn(words, word.toLowerCase()) ? word.toLowerCase() : undefined;

/** Why our own reader finds something else in these fields, and what. */
const DIFFERENCES: Differences = {
  commentaires: {
    why: 'characters of ISO 8859-1',
    reads: (one) => text(textsFor(one, one.langue ?? 'fr').commentaires),
  },
  langue: { why: 'not in the format', reads: none },
  textes: { why: 'one language', reads: none },
  typeCode: {
    why: 'no words for businesses, lofts and town mansions',
    reads: ({ typeCode }) =>
      ({ fonds: 'local', loft: 'appartement', 'hotel-particulier': 'maison' })[typeCode as string] ?? typeCode,
  },
  prix: { why: 'one amount', reads: (one) => (isRent(one) || one.prixSurDemande === true ? undefined : one.prix) },
  loyer: { why: 'one amount', reads: (one) => (one.prixSurDemande === true ? undefined : ofLetting('loyer')(one)) },
  loyerSource: {
    why: 'weeks, quarters and years',
    reads: (one) =>
      isRent(one) && /^(?:semaine|trimestre|an)$/.test(one.loyerSource?.periode ?? '') ? one.loyerSource : undefined,
  },
  prixMention: {
    why: 'words of the format',
    reads: ({ prixMention, prixSurDemande }) => (prixSurDemande === true ? undefined : lower(QUALIFIERS, prixMention)),
    as: (word: string) => word.toLowerCase(),
  },
  statut: { why: 'all are under offer', reads: ({ statut }) => (statut === undefined ? undefined : 'sous-offre') },
  surfaceHabitable: {
    why: 'a plot has none',
    reads: (one) => (one.typeCode === 'terrain' ? undefined : one.surfaceHabitable),
  },
  surfaceTerrain: { why: 'one area', reads: (one) => (one.typeCode === 'terrain' ? one.surfaceTerrain : undefined) },
  nbrePieces: { why: 'living rooms and bedrooms', reads: rooms },
  nbreChambres: {
    why: 'whole numbers',
    reads: ({ nbreChambres }) => (nbreChambres === undefined ? undefined : Math.floor(nbreChambres)),
  },
  nbreSallesDeBain: {
    why: 'all bathrooms',
    reads: (one) => (one.nbreSallesDeBain ?? 0) + (one.nbreSallesEau ?? 0) || undefined,
  },
  nbreSallesEau: { why: 'all bathrooms', reads: none },
  ville: { why: 'characters of ISO 8859-1', reads: ({ ville }) => text(ville) },
  adresse: { why: 'district and town, where the address is hidden', reads: (one) => text(displayAddress(one)) },
  quartier: { why: 'a part of the address', reads: none },
  latitude: { why: 'two decimals without an address', reads: (one) => positionOf(one)?.latitude },
  longitude: { why: 'two decimals without an address', reads: (one) => positionOf(one)?.longitude },
  meuble: { why: 'of a letting', reads: ofLetting('meuble') },
  depotGarantie: { why: 'of a letting', reads: ofLetting('depotGarantie') },
  disponibilite: { why: 'of a letting', reads: ofLetting('disponibilite') },
  disponibiliteTexte: {
    why: 'of a letting, where there is no day',
    reads: (one) =>
      isRent(one) && one.disponibilite === undefined && /[a-z]/i.test(one.disponibiliteTexte ?? '')
        ? text(one.disponibiliteTexte)
        : undefined,
  },
  coproCharges: { why: 'the service charge', reads: service },
  chargesService: {
    why: 'per year',
    reads: (one) => (service(one) === undefined ? undefined : { montant: service(one), periode: 'an' }),
  },
  redevanceFonciere: { why: 'per year', reads: ({ redevanceFonciere }) => yearly(redevanceFonciere) },
  regimePropriete: { why: 'words of the format', reads: ({ regimePropriete }) => lower(TENURES, regimePropriete) },
  dateCreation: { why: 'a time without a zone', reads: ({ dateCreation }) => seconds(dateCreation) },
  dateModification: {
    why: 'a time without a zone; the first publication, where the CRM has none',
    reads: ({ dateModification }) => seconds(dateModification ?? new Date(PUBLISHED_AT_MS).toISOString()),
  },
  visiteVirtuelle: {
    why: 'our reader tells films by their address',
    reads: ({ visiteVirtuelle, video }) => visiteVirtuelle ?? (isFilm(video) ? undefined : video),
  },
  video: { why: 'our reader tells films by their address', reads: ({ video }) => (isFilm(video) ? video : undefined) },
  caracteristiques: { why: 'ten', reads: ({ caracteristiques }) => caracteristiques?.slice(0, 10).map(text) },
};

it('BLM round trip gives the same listing for every field of the format', async () => {
  const problems = await roundTripProblems({
    ...{ target, connector: 'blm', listings: fixtureListings(), differences: DIFFERENCES, fit },
    placement: { settings: { branch: '99999' } },
    affIdOf: ({ affId }) => agentRefOf(affId, '99999'),
  });
  expect(problems).toEqual([]);
});
