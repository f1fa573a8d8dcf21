import type { JsonRecord } from '../../formats/json-records';
import type { RecordContext } from '../../kit/contracts';
import { addressProjection } from '../../kit/raw-projection';
import { PARKING_FIELDS } from './parking';
import { isOnRequest, showsAddress } from './display';

const under = (prefix: string, names: string): string[] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `${prefix}.${name}`);

const PUBLIC_FIELDS = `
  Id veroeffentlichen verkauft reserviert referenz exclusive neu courtage_frei vermarktungsart objektart objekttyp
  nutzungsart status preisAufAnfrage objektadresse_freigeben virtualAddress plz ort land objektnr_extern objekttitel
  objektbeschreibung lage ausstatt_beschr sonstige_angaben kaufpreis erbpacht kaltmiete nettokaltmiete warmmiete pacht
  nebenkosten heizkosten heizkosten_in_nebenkosten hausgeld kaution provisionspflichtig aussen_courtage courtage_hinweis
  waehrung kaufpreis_pro_qm freitext_preis wohnflaeche nutzflaeche gesamtflaeche grundstuecksflaeche bueroflaeche
  ladenflaeche lagerflaeche verkaufsflaeche anzahl_zimmer anzahl_schlafzimmer anzahl_badezimmer anzahl_sep_wc
  anzahl_balkone anzahl_terrassen anzahl_stellplaetze etage etagen_zahl anzahl_etagen baujahr zustand moebliert fahrstuhl
  unterkellert stellplatzart klimatisiert kamin swimmingpool rollstuhlgerecht barrierefrei haustiere gartennutzung
  ausblick ausricht_balkon_terrasse kueche heizungsart befeuerung denkmalgeschuetzt vermietet nettorendite sauna
  wintergarten gaestewc energieausweistyp energieausweis_gueltig_bis energieverbrauchskennwert endenergiebedarf
  energieeffizienzklasse energyClass energietraeger energieausweisBaujahr warmwasserEnthalten hwbwert hwbklasse fgeewert
  fgeeklasse regionaler_zusatz bundesland verfuegbar_ab abdatum erstellt_am geaendert_am stammobjekt objektgruppe
`;

const project = addressProjection({
  public: [
    'id',
    ...under('elements', PUBLIC_FIELDS),
    ...PARKING_FIELDS,
    ...under('pictures', 'id estateid estateMainId type url title titel text modified'),
    ...under('contact', 'Vorname Name Email Telefon1 Zusatz1'),
    ...under('translations', 'language objekttitel objektbeschreibung lage ausstatt_beschr sonstige_angaben'),
  ],
  address: under('elements', 'strasse hausnummer breitengrad laengengrad'),
  hiddenBecause: 'objektadresse_freigeben is not 1, or another address is shown',
  private: {
    'elements.virtualStreet': 'the listing has it where it is shown',
    'elements.virtualHouseNumber': 'the listing has it where it is shown',
    'elements.virtualLatitude': 'the listing has it where it is shown',
    'elements.virtualLongitude': 'the listing has it where it is shown',
    'pictures.originalname': 'the name of a file on a desk: it may name people',
    'elements.innen_courtage': 'paid by the seller',
    'elements.interne_beschreibung': 'a note of the agency',
    'elements.benutzer': 'a login',
    'translations.Id': 'a number that the API does not resolve',
    'translations.mainLangId': 'the number of the estate',
  },
});

const AMOUNTS = new Set(
  'kaufpreis kaufpreis_pro_qm erbpacht kaltmiete nettokaltmiete warmmiete pacht nebenkosten heizkosten freitext_preis'.split(
    ' ',
  ),
);

/** Amounts on request stay private. */
export function toRaw(record: JsonRecord, context: RecordContext): Record<string, unknown> {
  const { elements } = record;
  if (!isOnRequest(record) || typeof elements !== 'object' || elements === null)
    return project(record, context, showsAddress(record));
  const shown = Object.entries(elements).filter(([name]) => !AMOUNTS.has(name));
  return project({ ...record, elements: Object.fromEntries(shown) }, context, showsAddress(record));
}
