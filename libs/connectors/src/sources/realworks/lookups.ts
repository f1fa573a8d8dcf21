import type { TitleWord } from '../../kit/title-words';
import type { RentPeriod, TypeCode, TypeTransaction } from '@passerelle/domain';
import { hidden, LET, type Showing, SOLD, UNDER_CONTRACT, UNDER_OFFER } from '../../kit/status';
import { wordTable } from '../../kit/word-table';

export interface DwellingType {
  code: TypeCode;
  title: TitleWord;
}

const type = (code: TypeCode, title: TitleWord): DwellingType => ({ code, title });
const house = type('maison', 'Maison');
const flat = type('appartement', 'Appartement');
const garage = type('parking', 'Garage');

/** `object.type.objecttype`. */
export const OBJECT_TYPES = wordTable<DwellingType>({
  ...{ WOONHUIS: house, APPARTEMENT: flat, BOUWGROND: type('terrain', 'Terrain à bâtir') },
});

/** `woonhuissoort`, `appartementsoort`, `overigOnroerendGoed.type`: values that are more precise than the type. */
export const KINDS = wordTable<DwellingType>({
  ...{ EENGEZINSWONING: house, HERENHUIS: type('maison', 'Maison de maître'), VILLA: type('maison', 'Villa') },
  ...{ LANDHUIS: type('maison', 'Maison de campagne'), BUNGALOW: type('maison', 'Bungalow') },
  ...{ WOONBOERDERIJ: type('maison', 'Ferme'), GRACHTENPAND: type('maison', 'Maison de canal') },
  ...{ LANDGOED: type('maison', 'Domaine'), KASTEEL: type('chateau', 'Château') },
  ...{ BOVENWONING: flat, BENEDENWONING: type('appartement', 'Rez-de-chaussée'), PORTIEKFLAT: flat, GALERIJFLAT: flat },
  ...{ PORTIEKWONING: flat, MAISONNETTE: type('appartement', 'Duplex'), PENTHOUSE: type('appartement', 'Penthouse') },
  ...{ GARAGE: garage, GARAGEBOX: garage, PARKEERPLAATS: type('parking', 'Parking') },
});

/** `overdracht.aanmeldingsreden`, for objects without any amount. */
export const REASONS = wordTable<TypeTransaction>({ IN_VERKOOP_GENOMEN: 'vente', IN_VERHUUR_GENOMEN: 'location' });

/** `overdracht.status`. */
export const STATUSES = wordTable<Showing>({
  BESCHIKBAAR: {},
  ...{ ONDER_BOD: UNDER_OFFER, ONDER_OPTIE: UNDER_OFFER },
  ...{ VERKOCHT_ONDER_VOORBEHOUD: UNDER_CONTRACT, VERHUURD_ONDER_VOORBEHOUD: UNDER_OFFER },
  ...{ VERKOCHT: SOLD, VERHUURD: LET, GEVEILD: { withdrawn: 'auctioned', statut: 'vendu' } },
  ...{ INGETROKKEN: hidden('withdrawn'), GEANNULEERD: hidden('cancelled') },
  ...{ PROSPECT: hidden('a prospect'), GEARCHIVEERD: hidden('archived') },
});

/** `overdracht.huurconditie`. */
export const PERIODS = wordTable<RentPeriod>({
  ...{ PER_DAG: 'jour', PER_WEEK: 'semaine', PER_MAAND: 'mois', PER_KWARTAAL: 'trimestre', PER_JAAR: 'an' },
});

/** `overdracht.koopconditie`, with the words that adverts use. */
export const CONDITIONS = wordTable<string>({ KOSTEN_KOPER: 'k.k.', VRIJ_OP_NAAM: 'v.o.n.' });

/** Prefixes that mean only "price" or "rent". */
export const PLAIN_PREFIXES = wordTable<true>({ VRAAGPRIJS: true, KOOPPRIJS: true, HUURPRIJS: true, KOOPSOM: true });

/** `overdracht.huurspecificaties`: furnished, or only with floors and curtains, or bare. */
export const FURNISHINGS = wordTable<boolean>({ GEMEUBILEERD: true, GESTOFFEERD: false, KAAL: false });
