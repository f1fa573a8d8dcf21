import type { TitleWord } from '../../kit/title-words';
import type { RentPeriod, TypeCode } from '@passerelle/domain';
import { wordTable } from '../../kit/word-table';

/** `aktionart`. The last four values belong to `uebertragung@modus`, but feeds also write them here. */
export const ACTIONS = wordTable<'show' | 'delete' | 'reference'>({
  CHANGE: 'show',
  DELETE: 'delete',
  REFERENZ: 'reference',
  NEW: 'show',
  NEU: 'show',
  ADD: 'show',
  UPDATE: 'show',
});

/** The attributes of `vermarktungsart`. */
export const MARKETING = wordTable<'sale' | 'rent' | 'ground-lease'>({
  KAUF: 'sale',
  ERBPACHT: 'ground-lease',
  MIETE_PACHT: 'rent',
  MIETE: 'rent',
  PACHT: 'rent',
  LEASING: 'rent',
});

export type SaleStatus = 'open' | 'reserved' | 'over';

/** `verkaufstatus`. The schema has the first three words. */
export const SALE_STATUSES = wordTable<SaleStatus>({
  ...{ OFFEN: 'open', RESERVIERT: 'reserved', VERKAUFT: 'over' },
  ...{ VERMIETET: 'over', VERPACHTET: 'over' },
});

/** `preis_zeiteinheit`. */
export const PERIODS = wordTable<RentPeriod>({
  TAG: 'jour',
  WOCHE: 'semaine',
  MONAT: 'mois',
  QUARTAL: 'trimestre',
  JAHR: 'an',
});

export interface PropertyType {
  code: TypeCode;
  title: TitleWord;
}

function type(code: TypeCode, title: TitleWord): PropertyType {
  return { code, title };
}

/** The children of `objektart`. */
export const TYPES = wordTable<PropertyType>({
  zimmer: type('appartement', 'Chambre'),
  wohnung: type('appartement', 'Appartement'),
  haus: type('maison', 'Maison'),
  grundstueck: type('terrain', 'Terrain'),
  buero_praxen: type('bureau', 'Bureau'),
  einzelhandel: type('boutique', 'Boutique'),
  gastgewerbe: type('local', 'Hôtel ou restaurant'),
  hallen_lager_prod: type('local', 'Entrepôt'),
  land_und_forstwirtschaft: type('autre', 'Propriété agricole'),
  parken: type('parking', 'Parking'),
  sonstige: type('autre', 'Bien'),
  freizeitimmobilie_gewerblich: type('local', 'Local de loisirs'),
  zinshaus_renditeobjekt: type('immeuble', 'Immeuble de rapport'),
});

/** Kinds that are more precise than their `objektart`. */
export const TYPES_BY_KIND = wordTable<PropertyType>({
  'wohnung LOFT-STUDIO-ATELIER': type('loft', 'Loft'),
  'wohnung MAISONETTE': type('appartement', 'Duplex'),
  'wohnung PENTHOUSE': type('appartement', 'Penthouse'),
  'wohnung FERIENWOHNUNG': type('appartement', 'Appartement de vacances'),
  'haus SCHLOSS': type('chateau', 'Château'),
  'haus BURG': type('chateau', 'Château'),
  'haus VILLA': type('maison', 'Villa'),
  'haus CHALET': type('maison', 'Chalet'),
  'haus BUNGALOW': type('maison', 'Bungalow'),
  'haus BAUERNHAUS': type('maison', 'Ferme'),
  'haus FERIENHAUS': type('maison', 'Maison de vacances'),
  'land_und_forstwirtschaft BAUERNHOF': type('maison', 'Ferme'),
  'land_und_forstwirtschaft AUSSIEDLERHOF': type('maison', 'Ferme'),
  'land_und_forstwirtschaft ANWESEN': type('maison', 'Propriété agricole'),
  'land_und_forstwirtschaft ACKERBAU': type('terrain', 'Terrain agricole'),
  'land_und_forstwirtschaft WEINBAU': type('terrain', 'Vignoble'),
  'land_und_forstwirtschaft JAGD_UND_FORSTWIRTSCHAFT': type('terrain', 'Forêt'),
  'land_und_forstwirtschaft JAGDREVIER': type('terrain', 'Terrain de chasse'),
  'land_und_forstwirtschaft TEICH_UND_FISCHWIRTSCHAFT': type('terrain', 'Étang'),
  'sonstige PARKHAUS': type('parking', 'Parking'),
});

/** Kinds that are let by the season. */
export const HOLIDAY_KINDS: ReadonlySet<string> = new Set(['FERIENWOHNUNG', 'FERIENHAUS']);

/** `gruppe` of an `anhang`. */
export type AttachmentGroup = 'photo' | 'title' | 'video' | 'plan' | 'document' | 'map' | 'link' | 'page' | 'ignored';

/** The agency's logo and the QR code are no content of an advert. */
export const ATTACHMENT_GROUPS = wordTable<AttachmentGroup>({
  TITELBILD: 'title',
  BILD: 'photo',
  BILDER: 'photo',
  INNENANSICHT: 'photo',
  INNENANSICHTEN: 'photo',
  AUSSENANSICHT: 'photo',
  AUSSENANSICHTEN: 'photo',
  PANORAMA: 'photo',
  FILM: 'video',
  FILMLINK: 'video',
  GRUNDRISS: 'plan',
  KARTEN_LAGEPLAN: 'map',
  ANBIETERLOGO: 'ignored',
  DOKUMENTE: 'document',
  LINKS: 'link',
  QRCODE: 'ignored',
  'EPASS-SKALA': 'document',
  ANBOBJURL: 'page',
});

/** Words of `zustand_art` and `alter_attr` that mean a new building. */
export const NEW_CONDITIONS: ReadonlySet<string> = new Set(['ERSTBEZUG', 'ROHBAU', 'PROJEKTIERT', 'NEUBAU']);
