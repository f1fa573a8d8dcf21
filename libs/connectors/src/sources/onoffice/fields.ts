const names = (text: string): string[] => text.trim().split(/\s+/);

/** Fields that every client has, listed or not: the vendor's website plugin requests them from all clients. */
const FIXED = names(`
  Id veroeffentlichen verkauft reserviert referenz exclusive neu courtage_frei vermarktungsart objektart preisAufAnfrage
  objektadresse_freigeben virtualAddress virtualStreet virtualHouseNumber virtualLatitude virtualLongitude laengengrad
  breitengrad strasse hausnummer plz ort land objektnr_extern
`);

/** Texts that each language version of an estate has separately. */
export const TEXT_FIELDS = names('objekttitel objektbeschreibung lage ausstatt_beschr sonstige_angaben');

/** Fields to request if the client has them: clients configure their own fields. */
const WANTED = names(`
  status objekttyp nutzungsart ${TEXT_FIELDS.join(' ')}
  kaufpreis erbpacht kaltmiete nettokaltmiete warmmiete pacht nebenkosten heizkosten heizkosten_in_nebenkosten hausgeld kaution
  provisionspflichtig aussen_courtage courtage_hinweis waehrung kaufpreis_pro_qm freitext_preis
  wohnflaeche nutzflaeche gesamtflaeche grundstuecksflaeche bueroflaeche ladenflaeche lagerflaeche verkaufsflaeche
  anzahl_zimmer anzahl_schlafzimmer anzahl_badezimmer anzahl_sep_wc anzahl_balkone anzahl_terrassen anzahl_stellplaetze
  etage etagen_zahl anzahl_etagen baujahr zustand moebliert fahrstuhl unterkellert stellplatzart klimatisiert kamin
  swimmingpool multiParkingLot rollstuhlgerecht barrierefrei haustiere gartennutzung ausblick ausricht_balkon_terrasse kueche heizungsart
  befeuerung denkmalgeschuetzt vermietet nettorendite sauna wintergarten gaestewc
  energieausweistyp energieausweis_gueltig_bis energieverbrauchskennwert endenergiebedarf energieeffizienzklasse energyClass
  energietraeger energieausweisBaujahr warmwasserEnthalten hwbwert hwbklasse fgeewert fgeeklasse
  regionaler_zusatz bundesland verfuegbar_ab abdatum erstellt_am geaendert_am stammobjekt objektgruppe
`);

/** The fields to request from a client: a field that it does not have makes the whole request fail. */
export function fieldsToAsk(known: ReadonlySet<string>): string[] {
  return [...FIXED, ...WANTED.filter((name) => known.has(name))];
}

/** Fields whose values a client may define. The listing shows their labels. */
export const LABELLED = names(
  'objektart objekttyp zustand heizungsart befeuerung ausblick ausricht_balkon_terrasse stellplatzart',
);
