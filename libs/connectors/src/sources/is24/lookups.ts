import type { TitleWord } from '../../kit/title-words';
import type { RentPeriod, TypeCode } from '@passerelle/domain';
import { wordTable, type WordTable } from '../../kit/word-table';

export interface PropertyType {
  code: TypeCode;
  title: TitleWord;
}

interface Kind extends PropertyType {
  /** Undefined if `Vermarktung` decides. */
  way?: 'sale' | 'rent';
  group: keyof typeof CATEGORIES;
}

const HOUSE: PropertyType = { code: 'maison', title: 'Maison' };
const FLAT: PropertyType = { code: 'appartement', title: 'Appartement' };
const BUILDING: PropertyType = { code: 'immeuble', title: 'Immeuble' };
const PREMISES: PropertyType = { code: 'local', title: 'Local commercial' };
const LAND: PropertyType = { code: 'terrain', title: 'Terrain' };
const PARKING: PropertyType = { code: 'parking', title: 'Parking' };
const HOTEL: PropertyType = { code: 'local', title: 'Hôtel ou restaurant' };
const OFFICE: PropertyType = { code: 'bureau', title: 'Bureau' };
const SHOP: PropertyType = { code: 'boutique', title: 'Boutique' };
const FARM: PropertyType = { code: 'maison', title: 'Ferme' };

/** Marks a known word that is no more precise than the element. */
const NO_MORE = 'no more';

function words(plain: string, more: Readonly<Record<string, PropertyType>> = {}): WordTable<PropertyType | string> {
  const all = `keineAngabe Sonstige Sonstiges ${plain}`.trim().split(' ');
  return wordTable<PropertyType | string>({ ...Object.fromEntries(all.map((word) => [word, NO_MORE])), ...more });
}

export const CATEGORIES = {
  flat: words('Dachgeschoss Terrassenwohnung Erdgeschoss Etagenwohnung Hochparterre Souterrain', {
    Maisonette: { code: 'appartement', title: 'Duplex' },
    Penthouse: { code: 'appartement', title: 'Penthouse' },
    Loft: { code: 'loft', title: 'Loft' },
  }),
  room: words(
    'Dachgeschoss Terrassenwohnung Erdgeschoss Etagenwohnung Hochparterre Souterrain Loft Maisonette Penthouse',
  ),
  // A Mehrfamilienhaus is not always a block of flats: the Zweifamilienhaus of older versions belongs to it.
  house: words(
    'Doppelhaushaelfte Doppelhaus Einfamilienhaus Mehrfamilienhaus Zweifamilienhaus Reihenhaus Reihenmittelhaus ' +
      'Reiheneckhaus BesondereImmobilie Blockhaus Fachwerkhaus Holzhaus Landhaus EinfamilienhausMitEinliegerwohnung',
    {
      Bungalow: { code: 'maison', title: 'Bungalow' },
      Villa: { code: 'maison', title: 'Villa' },
      Bauernhaus: FARM,
      BurgSchloss: { code: 'chateau', title: 'Château' },
    },
  ),
  temporary: words('Wohnung', {
    Zimmer: { code: 'appartement', title: 'Chambre' },
    Appartment: { code: 'appartement', title: 'Studio' },
    Haus: HOUSE,
  }),
  land: words('Wohnen Gewerbe LandForstwirtschaft Freizeit'),
  office: words(
    'Loft Atelier Buero BueroEtage Buerohaus Buerozentrum Praxis PraxisEtage PraxisHaus BueroUndLagerGebaeude ' +
      'GewerbeZentrum BueroUndGeschaeftsgebaeude',
    { WohnUndGeschaeftsgebaeude: BUILDING },
  ),
  shop: words(
    'Ausstellungsflaeche Einkaufszentrum FactoryOutlet Kaufhaus Kiosk Laden SBMarkt Verkaufsflaeche Verkaufshalle',
  ),
  hospitality: words(
    'Barbetrieb Caffee Diskothek Gaestehaus Gaststaette Hotel Hotelanwesen HotelGarni Pension Restaurant Ferienbungalow',
  ),
  hall: words(
    'Ausstellungsflaeche Halle Hochregallager Industriehalle IndustriehalleMitFreiflaeche Kuehlhaus Kuehlregallager ' +
      'LagerMitFreiflaeche Lagerflaeche Lagerhalle Serviceflaeche Speditionslager Werkstatt',
  ),
  business: words('Anwesen Werkstatt Freizeitanlage Gewerbeflaeche Spezialobjekt Gewerbepark', {
    Bauernhof: FARM,
    Reiterhof: FARM,
    Weingut: FARM,
  }),
  investment: words('Mehrfamilienhaus Geschaeftshaus WohnGeschaeftshaus Wohnanlage', {
    Einfamilienhaus: HOUSE,
    Eigentumswohnung: FLAT,
    Einkaufszentrum: SHOP,
    LadenVerkaufsflaeche: SHOP,
    Supermarkt: SHOP,
    Gaststaette: HOTEL,
    Hotel: HOTEL,
    Buerogebaeude: OFFICE,
    Servicecenter: PREMISES,
    Freizeitanlage: PREMISES,
    Gewerbeeinheit: PREMISES,
    Gewerbeanwesen: PREMISES,
    HalleLager: PREMISES,
    Industrieanwesen: PREMISES,
  }),
  garage: words('Garage Tiefgarage Parkhaus Carport Aussenstellplatz Duplex'),
  auction: words('', {
    Eigentumswohnung: FLAT,
    'Ein/Mehrfamilienhaus': HOUSE,
    'Gewerbe/Anlage': PREMISES,
    Grundstueck: LAND,
    'Garage/Sonstige': { code: 'autre', title: 'Bien' },
  }),
} as const;

/** The elements below `Anbieter`. */
export const KINDS = wordTable<Kind>({
  WohnungKauf: { ...FLAT, way: 'sale', group: 'flat' },
  WohnungMiete: { ...FLAT, way: 'rent', group: 'flat' },
  HausKauf: { ...HOUSE, way: 'sale', group: 'house' },
  HausMiete: { ...HOUSE, way: 'rent', group: 'house' },
  TypenHaus: { ...HOUSE, way: 'sale', group: 'house' },
  WAZ: { ...FLAT, way: 'rent', group: 'temporary' },
  WGZimmer: { code: 'appartement', title: 'Chambre', way: 'rent', group: 'room' },
  Grundstueck: { ...LAND, group: 'land' },
  GrundstueckWohnenKauf: { ...LAND, group: 'land' },
  GrundstueckWohnenMiete: { ...LAND, group: 'land' },
  GrundstueckGewerbe: { ...LAND, group: 'land' },
  BueroPraxis: { ...OFFICE, group: 'office' },
  Einzelhandel: { ...SHOP, group: 'shop' },
  Gastronomie: { ...HOTEL, group: 'hospitality' },
  HalleProduktion: { code: 'local', title: 'Entrepôt', group: 'hall' },
  SonstigeGewerbe: { ...PREMISES, group: 'business' },
  Anlageobjekt: { ...BUILDING, way: 'sale', group: 'investment' },
  GarageKauf: { ...PARKING, way: 'sale', group: 'garage' },
  GarageMiete: { ...PARKING, way: 'rent', group: 'garage' },
  Zwangsversteigerung: { code: 'autre', title: 'Bien', way: 'sale', group: 'auction' },
});

/** The children of `Vermarktung`. */
export const MARKETING = wordTable<'sale' | 'rent' | 'ground-lease'>({
  Kauf: 'sale',
  Miete: 'rent',
  Pacht: 'rent',
  Erbpacht: 'ground-lease',
});

/** `MietePro` of temporary homes, `Pro` of business premises. */
export const PERIODS = wordTable<RentPeriod | 'square metre'>({
  Tag: 'jour',
  Woche: 'semaine',
  Monat: 'mois',
  Quadratmeter: 'square metre',
});

/** `Importmodus`; records to ignore do not reach the mapping. */
export const ACTIONS = wordTable<'show' | 'delete'>({ importieren: 'show', aktualisieren: 'show', loeschen: 'delete' });
export const STATES = wordTable<'active' | 'inactive' | 'over' | 'sold' | 'let'>({
  ...{ aktiv: 'active', inaktiv: 'inactive' },
  // These words are not in the schema, but their meaning is clear.
  ...{ archiviert: 'over', verkauft: 'sold', vermietet: 'let' },
});

export const YES_OR_NO = wordTable<boolean | 'by agreement'>({
  ...{ ja: true, erlaubt: true, true: true, nein: false, verboten: false, false: false },
  ...{ nachVereinbarung: 'by agreement', keineAngabe: 'by agreement' },
});

/** `Energieausweistyp`: whether the only figure of the certificate is a need or a consumption. */
export const CERTIFICATES = wordTable<'besoin' | 'consommation' | 'unknown'>({
  Endenergiebedarf: 'besoin',
  Energieverbrauchskennwert: 'consommation',
  KeineAngabe: 'unknown',
});

/** `AnhangArt`; only the CSV has sounds. */
export const ATTACHMENTS = wordTable<'photo' | 'video' | 'link' | 'plan' | 'sound'>({
  bild: 'photo',
  video: 'video',
  sound: 'sound',
  link: 'link',
  grundrissBild: 'plan',
  grundrissPDF: 'plan',
});
