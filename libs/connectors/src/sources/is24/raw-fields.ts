import type { XmlRecord } from '../../formats/xml-records';
import type { RecordContext } from '../../kit/contracts';
import { addressProjection } from '../../kit/raw-projection';
import { ELEMENT } from './format';
import { showsAddress } from './mapping';

/** Elements that are read as lists even if there is only one. */
export const LISTS = ['MultimediaAnhang'];

const attributes = (names: string, parent = ''): string[] => names.split(' ').map((name) => `${parent}@${name}`);
const elements = (names: string, parent: string): string[] => names.split(' ').map((name) => `${parent}.${name}.@*`);

const project = addressProjection({
  public: [
    ELEMENT,
    ...attributes(
      'AnbieterObjektID StatusVBM StatusIS24 StatusHP Importmodus ScoutObjektID GruppierungsID Adressdruck',
    ),
    ...attributes('Ueberschrift Provision Provisionspflichtig Provisionshinweis Waehrung'),
    ...attributes('WohnungKategorie HausKategorie WazKategorie WGZimmerKategorie Objektkategorie2 ObjektKategorie2'),
    ...attributes('Wohnflaeche Nutzflaeche GrundstuecksFlaeche Zimmerflaeche Gesamtflaeche Nebenflaeche Grundflaeche'),
    ...attributes('BueroPraxisFlaeche Verkaufsflaeche GastraumFlaeche LagerProduktionsFlaeche Hauptflaeche Flaeche'),
    ...attributes('VermietbareFlaeche WohnFlaechen GewerbeFlaechen SonstigeFlaechen TeilbarAb Zimmer Zimmeranzahl'),
    ...attributes('AnzahlBadezimmer AnzahlSchlafzimmer Etage Etagenzahl Etagen Baujahr JahrLetzteModernisierung'),
    ...attributes('Objektzustand Heizungsart Aufzug Personenaufzug Haustiere BalkonTerrasse GartenBenutzung'),
    ...attributes('Einbaukueche BetreutesWohnen Foerderung Vermietet Denkmalschutzobjekt GaesteWC Keller Barrierefrei'),
    ...attributes('AlsFerienwohnungGeeignet Parkplatz AnzahlGaragenStellplaetze Rollstuhlgerecht FreiAb FreiBis'),
    ...attributes(
      'Ausstattungsqualitaet Bauphase MitEinliegerwohnung Midestmietdauer Maximalmietdauer Mobilar RaucherOk',
    ),
    ...attributes(
      'AnzahlPersonen Parkplatzmiete Kaution BebaubarNach BaugenehmigungVorhanden AbrissErforderlich GRZ GFZ',
    ),
    ...attributes('Erschliessungszustand KurzfristigBebaubar PreisAb Bauweise KWert Ausbaustufe Energiestandard'),
    ...attributes(
      'Bodenbelag DatenVerkabelung Klimaanlage Kantine KuecheVorhanden Starkstrom Schaufensterfront Deckenlast',
    ),
    ...attributes('Lageart Rampe Zulieferung GastraumPlaetze AnzahlBetten Gastterrasse Hebebuehne Hallenhoehe'),
    ...attributes('Bodenbelastung Stromanschlusswert AnzahlParkflaechen FusswegOeNV FahrzeitBHf FahrzeitBAB'),
    ...attributes('FahrzeitFlughafen XFacheMiete MietEinnahmePaIst MietEinnahmePaSoll Kaufpreis KaufpreisProQm'),
    ...attributes('BetriebskostenUmgelegt PreisProParkflaeche Hoehe Laenge Breite VerfuegbarAb VerfuegbarBis Rauchen'),
    ...attributes('Bewohnerzahl Backofen Kuehlschrank WC Herd Dusche Badewanne Spuelmaschine Waschmaschine'),
    ...attributes('AnzahlGesuchteMitbewohner Telefonanschluss Internetanschluss TVAnschluss Parkplatzsituation'),
    ...attributes('Postleitzahl Ort Laenderkennzeichen InternationaleRegion', 'Adresse.'),
    ...attributes('TermsRegion TermsStadt TermsStadtTeil', 'ManuelleGeoCodierung.'),
    ...attributes('Anrede Vorname Nachname Telefon Telefax EMail Homepage', 'Kontaktperson.'),
    ...['Objektbeschreibung', 'Lage', 'Ausstattung', 'SonstigeAngaben', 'Baureihe', 'Haustypinfo', 'Dachform'],
    ...['WohnFlProGeschoss', 'PreisProBauleistung'],
    ...attributes('AnhangArt Dateiname Titel Dateityp Abspieldauer', 'MultimediaAnhang.'),
    ...attributes('Kaltmiete Warmmiete Nebenkosten Heizkosten HeizkostenInWarmmieteEnthalten', 'Mietpreise.'),
    ...attributes('StellplatzMiete Kaution Miete Mindestmietdauer', 'Mietpreise.'),
    ...attributes('Kaufpreis Wohngeld StellplatzKaufpreis MieteinnahmenProMonat', 'Kaufpreise.'),
    ...attributes('MietePauschal MietePro', 'Pauschalmiete.'),
    ...attributes('Kaltmiete Nebenkosten', 'Monatsmiete.'),
    ...attributes('Preis PreisParkflaeche PreisProParkflaeche Nebenkosten', 'Vermarktung.'),
    ...elements('Kauf Miete Pacht Erbpacht', 'Vermarktung'),
    ...elements('KeineAngabe Erdwaerme Solarheizung Pelletheizung Gas Oel Fernwaerme Strom Kohle', 'BefeuerungsArt'),
    ...attributes('Energieausweistyp Energieverbrauchskennwert WarmwasserEnthalten', 'Energieausweis.'),
    ...elements('Ackerland Bauerwartungsland Bootsstaende Buero Camping Doppelhaus Einfamilienhaus', 'BebaubarMit'),
    ...elements('Einzelhandel-gross Einzelhandel-klein Garagen Garten Gastronomie Gewerbe Hotel', 'BebaubarMit'),
    ...elements('Industrie keineBebauung Kleingewerbe Lager Mehrfamilienhaus Obstpflanzung Parkhaus', 'BebaubarMit'),
    ...elements('Produktion Reihenhaus Stellplaetze Villa Wald', 'BebaubarMit'),
    ...[
      'Lastenaufzug.@*',
      'Kranbahn.@*',
      'Erfassungsdatum',
      'Aenderungsdatum',
      'Aufhebungsdatum',
      'Objektart',
      'Preis',
    ],
    ...['Versteigerungstermin.@*'],
  ],
  private: {
    ApiSuchfelder: "the agency's own words, for its searches",
    '@AktiveGruppen': 'where else the agency shows it',
    '@Objektdarstellung': 'where else the agency shows it',
    '@ScoutKundenID': 'the account at the portal',
    '@NichtUmgelegteKosten': 'paid by the owner',
    '@Geschlecht': 'wishes for the tenant',
    '@GeschlechtGesuchterBewohner': 'wishes for the tenant',
    '@AlterGesuchterBewohnerVon': 'wishes for the tenant',
    '@AlterGesuchterBewohnerBis': 'wishes for the tenant',
    '@AnzahlMaennlicheMitbewohner': 'the residents',
    '@AnzahlWeiblicheMitbewohner': 'the residents',
    '@AlterDerzeitigeBewohnerVon': 'the residents',
    '@AlterDerzeitigeBewohnerBis': 'the residents',
    'Kontaktperson.@Mobiltelefon': 'the telephone of a person',
    'Kontaktperson.@Strasse': 'where a person is',
    'Kontaktperson.@Hausnummer': 'where a person is',
    'Kontaktperson.@Postleitzahl': 'where a person is',
    'Kontaktperson.@Ort': 'where a person is',
    'Kontaktperson.@Laenderkennzeichen': 'where a person is',
    Eigentuemer: 'the owner whose property is auctioned',
    Amtsgericht: 'with its file number it leads to the debtor',
    Grundbuchblattnummer: 'leads to the owner',
  },
  address: ['Adresse.@Strasse', 'Adresse.@Hausnummer'],
  hiddenBecause: 'the agency does not let the address be shown',
});

export function toRaw(record: XmlRecord, context: RecordContext): Record<string, unknown> {
  return project(record, context, showsAddress(record));
}
