import type { XmlRecord } from '../../formats/xml-records';
import { ATTACHMENT_KINDS } from './csv-codes';

/** The XML name of a kind of row, and the XML paths of its columns. */
interface CsvKind {
  element: string;
  columns: ReadonlyMap<number, string>;
}

/** A column that the format leaves empty. */
const UNUSED = '-';
const ATTACHMENT = ['@Dateiname', '@Dateityp', '@AnhangArt', '@Abspieldauer', '@Titel'] as const;
const FIRST_ATTACHMENT = 107;
const ATTACHMENTS = 10;

/** Columns are counted from 0. */
export const AT = { action: 0, kind: 2, id: 7, provider: 15 } as const;
/** The number of columns in every row. The last columns are empty. */
export const COLUMNS = 182;
const ATTACHMENTS_END = FIRST_ATTACHMENT + ATTACHMENTS * ATTACHMENT.length;

/** Names of consecutive columns, by the number of the first column. */
type Runs = Readonly<Record<number, string>>;

function columnsOf(...parts: readonly Runs[]): ReadonlyMap<number, string> {
  const columns = new Map<number, string>();
  for (const [first, names] of parts.flatMap((part) => Object.entries(part))) {
    names.split(' ').forEach((name, index) => {
      if (name !== UNUSED) columns.set(Number(first) + index, name);
    });
  }
  return columns;
}

const within = (parent: string, names: string): string => names.replace(/\S+/g, `${parent}.@$&`);

const COMMON: Runs = {
  0: '@Importmodus @StatusIS24 -',
  3: `@ScoutObjektID ${within('ManuelleGeoCodierung', 'TermsRegion TermsStadt TermsStadtTeil')} @AnbieterObjektID`,
  8: '@GruppierungsID @Objektdarstellung @AktiveGruppen',
  11: 'ApiSuchfelder.ApiSuchfeld1 ApiSuchfelder.ApiSuchfeld2 ApiSuchfelder.ApiSuchfeld3',
  15: '@ScoutKundenID',
  16: within('Kontaktperson', 'Anrede Vorname Nachname Strasse Hausnummer Postleitzahl Ort Laenderkennzeichen'),
  24: within('Kontaktperson', 'Telefon Mobiltelefon Telefax EMail Homepage'),
  35: '@Adressdruck @Ueberschrift @Provision @Waehrung @Provisionspflichtig @Provisionshinweis',
  50: within('Adresse', 'Strasse Hausnummer Postleitzahl Ort Laenderkennzeichen InternationaleRegion'),
  99: 'Lage Ausstattung Objektbeschreibung SonstigeAngaben',
};

const CERTIFICATE = within('Energieausweis', 'Energieausweistyp Energieverbrauchskennwert WarmwasserEnthalten');
const TRAVEL = '@FusswegOeNV @FahrzeitBHf @FahrzeitBAB @FahrzeitFlughafen';
const RENTS = within('Mietpreise', 'Kaltmiete Nebenkosten Warmmiete StellplatzMiete Kaution');
const HEATING_COSTS = within('Mietpreise', 'Heizkosten HeizkostenInWarmmieteEnthalten');
const PREMISES_AMOUNTS =
  'Vermarktung.Miete.@Kaltmiete Vermarktung.@Nebenkosten Vermarktung.Miete.@Pro Vermarktung.Kauf.@Preis ' +
  'Vermarktung.@PreisProParkflaeche Vermarktung.Miete.@Kaution';
const ONE_AMOUNT =
  'Vermarktung.@Preis Vermarktung.@Nebenkosten Vermarktung.@PreisProParkflaeche Vermarktung.Miete.@Kaution';
const HEATED = `BefeuerungsArt ${CERTIFICATE} @Heizungsart @Denkmalschutzobjekt @Keller`;
const GARAGE = '@ObjektKategorie2 @Laenge @Breite @Hoehe @Flaeche';

const kind = (element: string, runs: Runs): CsvKind => ({ element, columns: columnsOf(COMMON, runs) });

/** The kinds of rows by their codes in version 1.4.0.4. */
const KINDS: ReadonlyMap<string, CsvKind> = new Map([
  [
    '0',
    kind('WohnungMiete', {
      60: '@WohnungKategorie @Wohnflaeche @Nutzflaeche @Zimmer @AnzahlBadezimmer @Etage @Etagenzahl @Baujahr',
      68: '@Objektzustand @Heizungsart @Aufzug @Haustiere @BalkonTerrasse @GartenBenutzung @Einbaukueche',
      75: '@BetreutesWohnen @Foerderung @AnzahlGaragenStellplaetze @Parkplatz @FreiAb @Rollstuhlgerecht',
      81: `@AnzahlSchlafzimmer @Barrierefrei BefeuerungsArt ${CERTIFICATE} @GaesteWC @JahrLetzteModernisierung @Keller`,
      90: `${RENTS} - ${HEATING_COSTS} @Ausstattungsqualitaet`,
    }),
  ],
  [
    '1',
    kind('HausMiete', {
      60: '@HausKategorie @Wohnflaeche @Nutzflaeche @Zimmer @AnzahlBadezimmer @GrundstuecksFlaeche @Etagenzahl @Baujahr',
      68: '@Objektzustand @Heizungsart @Haustiere @Einbaukueche @BetreutesWohnen @AnzahlGaragenStellplaetze @Parkplatz',
      75: `@FreiAb @Rollstuhlgerecht @AnzahlSchlafzimmer BefeuerungsArt ${CERTIFICATE} @GaesteWC @Ausstattungsqualitaet`,
      85: '@Keller @Barrierefrei - @JahrLetzteModernisierung',
      90: `${RENTS} - ${HEATING_COSTS}`,
    }),
  ],
  [
    '2',
    kind('WohnungKauf', {
      60: '@WohnungKategorie @Wohnflaeche @Nutzflaeche @Zimmer @AnzahlBadezimmer @Etage @Etagenzahl @Baujahr',
      68: '@Objektzustand @Heizungsart @Aufzug @BalkonTerrasse @GartenBenutzung @Einbaukueche @BetreutesWohnen',
      75: '@AnzahlGaragenStellplaetze @Vermietet @Parkplatz @FreiAb @Rollstuhlgerecht @AnzahlSchlafzimmer',
      81: `@AlsFerienwohnungGeeignet @Barrierefrei BefeuerungsArt ${CERTIFICATE} @GaesteWC @Denkmalschutzobjekt @Keller`,
      90: 'Kaufpreise.@Kaufpreis Kaufpreise.@Wohngeld - Kaufpreise.@StellplatzKaufpreis Kaufpreise.@MieteinnahmenProMonat',
      96: '@Ausstattungsqualitaet @JahrLetzteModernisierung',
    }),
  ],
  [
    '3',
    kind('HausKauf', {
      60: '@HausKategorie @Wohnflaeche @Nutzflaeche @Zimmer @AnzahlBadezimmer @GrundstuecksFlaeche @Etagenzahl @Baujahr',
      68: '@Objektzustand @Heizungsart @AlsFerienwohnungGeeignet - @Vermietet @Parkplatz @FreiAb @Rollstuhlgerecht',
      76: '@AnzahlSchlafzimmer @MitEinliegerwohnung @AnzahlGaragenStellplaetze @Barrierefrei @JahrLetzteModernisierung',
      81: `@Ausstattungsqualitaet @Bauphase BefeuerungsArt ${CERTIFICATE} @GaesteWC @Denkmalschutzobjekt @Keller`,
      90: 'Kaufpreise.@Kaufpreis - Kaufpreise.@StellplatzKaufpreis Kaufpreise.@MieteinnahmenProMonat',
    }),
  ],
  [
    '4',
    kind('WAZ', {
      60: '@WazKategorie @Wohnflaeche @Zimmer @FreiBis @Midestmietdauer @Maximalmietdauer @Etage @Etagenzahl',
      68: '@Objektzustand @Heizungsart @Aufzug @Haustiere @BalkonTerrasse @GartenBenutzung @Mobilar @RaucherOk',
      76: '@Geschlecht @AnzahlPersonen @FreiAb @Parkplatz @Rollstuhlgerecht @AnzahlGaragenStellplaetze @Barrierefrei',
      83: `BefeuerungsArt ${CERTIFICATE} @GaesteWC - @Keller`,
      90: 'Pauschalmiete.@MietePauschal Pauschalmiete.@MietePro Monatsmiete.@Kaltmiete Monatsmiete.@Nebenkosten',
      94: '@Kaution @Parkplatzmiete',
    }),
  ],
  [
    '5',
    kind('Grundstueck', {
      60: 'Vermarktung @Objektkategorie2 @GrundstuecksFlaeche @TeilbarAb BebaubarMit @BebaubarNach',
      66: 'Vermarktung.Erbpacht.@DauerInJahren @BaugenehmigungVorhanden @AbrissErforderlich @GRZ @GFZ',
      71: '@Erschliessungszustand @KurzfristigBebaubar @FreiAb',
      90: 'Vermarktung.@Preis',
    }),
  ],
  [
    '7',
    kind('BueroPraxis', {
      60: 'Vermarktung @Objektkategorie2 @BueroPraxisFlaeche @Nebenflaeche @Gesamtflaeche @TeilbarAb @AnzahlParkflaechen',
      67: '@Etagen @Baujahr @Objektzustand @Bodenbelag @Personenaufzug @Kantine @DatenVerkabelung',
      74: `${TRAVEL} @FreiAb @Klimaanlage @JahrLetzteModernisierung @Starkstrom @Barrierefrei ${HEATED}`,
      90: `${PREMISES_AMOUNTS} @Ausstattungsqualitaet @KuecheVorhanden`,
    }),
  ],
  [
    '8',
    kind('Einzelhandel', {
      60: 'Vermarktung @Objektkategorie2 @Verkaufsflaeche @Nebenflaeche @Gesamtflaeche @TeilbarAb @AnzahlParkflaechen',
      67: '@Etagen @Baujahr @Objektzustand @Bodenbelag @Personenaufzug @Schaufensterfront @Lageart @Rampe @Zulieferung',
      76: `Lastenaufzug Lastenaufzug.@Tragkraft ${TRAVEL} @FreiAb ${HEATED}`,
      90: `${PREMISES_AMOUNTS} @Ausstattungsqualitaet @JahrLetzteModernisierung @Deckenlast`,
    }),
  ],
  [
    '9',
    kind('Gastronomie', {
      60: 'Vermarktung @Objektkategorie2 @GastraumFlaeche @Nebenflaeche @Gesamtflaeche @AnzahlParkflaechen @Etagen',
      67: '@Baujahr @Objektzustand @Personenaufzug @GastraumPlaetze @AnzahlBetten @Gastterrasse',
      73: `${TRAVEL} @FreiAb - - @JahrLetzteModernisierung @Ausstattungsqualitaet - ${HEATED}`,
      90: ONE_AMOUNT,
    }),
  ],
  [
    '10',
    kind('HalleProduktion', {
      60: 'Vermarktung @Objektkategorie2 @LagerProduktionsFlaeche @Nebenflaeche @Gesamtflaeche @TeilbarAb',
      66: '@AnzahlParkflaechen @Etagen @Baujahr @Objektzustand @Bodenbelag @Personenaufzug @Hebebuehne @Hallenhoehe @Rampe',
      75: '@Bodenbelastung Lastenaufzug Lastenaufzug.@Tragkraft Kranbahn Kranbahn.@Tragkraft @GrundstuecksFlaeche',
      // The description gives column 87 two meanings (heating, date) and column 86 none, so 86 holds the date here.
      81: `@Stromanschlusswert ${TRAVEL} @FreiAb @Heizungsart @JahrLetzteModernisierung BefeuerungsArt`,
      90: `${PREMISES_AMOUNTS} ${CERTIFICATE}`,
    }),
  ],
  [
    '11',
    kind('SonstigeGewerbe', {
      60: 'Vermarktung @Objektkategorie2 @Hauptflaeche @Nebenflaeche @Gesamtflaeche @TeilbarAb @AnzahlParkflaechen',
      67: `@Etagen @Baujahr @Objektzustand @Personenaufzug ${TRAVEL} @FreiAb @GrundstuecksFlaeche @Bodenbelag`,
      80: `@JahrLetzteModernisierung @Ausstattungsqualitaet - ${HEATED}`,
      90: ONE_AMOUNT,
    }),
  ],
  [
    '12',
    kind('Anlageobjekt', {
      60: '@Objektkategorie2 @Gesamtflaeche @VermietbareFlaeche @WohnFlaechen @GewerbeFlaechen @GrundstuecksFlaeche',
      66: '@SonstigeFlaechen @Etagen @Baujahr @Objektzustand @Personenaufzug @XFacheMiete @MietEinnahmePaIst',
      73: `@MietEinnahmePaSoll @AnzahlParkflaechen ${TRAVEL} - @JahrLetzteModernisierung @Ausstattungsqualitaet`,
      83: `BefeuerungsArt ${CERTIFICATE} @Heizungsart @Denkmalschutzobjekt`,
      90: '@Kaufpreis @KaufpreisProQm @BetriebskostenUmgelegt @NichtUmgelegteKosten @PreisProParkflaeche',
    }),
  ],
  [
    '17',
    kind('GarageKauf', {
      60: `${GARAGE} - - @JahrLetzteModernisierung @Baujahr @Objektzustand`,
      90: 'Kaufpreise.@Kaufpreis',
    }),
  ],
  [
    '18',
    kind('GarageMiete', {
      60: `${GARAGE} @VerfuegbarAb @VerfuegbarBis @JahrLetzteModernisierung @Baujahr @Objektzustand`,
      90: 'Mietpreise.@Miete',
    }),
  ],
]);

/** An unknown kind has the columns that all kinds share. */
export function csvKindOf(code: string): CsvKind {
  return KINDS.get(code) ?? { element: code, columns: COMMON_COLUMNS };
}

const COMMON_COLUMNS = columnsOf(COMMON);

/** The attachments that a row names, in the form of the XML. */
export function attachmentsIn(cells: readonly string[]): XmlRecord[] {
  return Array.from({ length: ATTACHMENTS }, (_, index) => {
    const first = FIRST_ATTACHMENT + index * ATTACHMENT.length;
    const named = ATTACHMENT.map((name, offset) => {
      const cell = cells[first + offset] ?? '';
      return [name, name === '@AnhangArt' ? (ATTACHMENT_KINDS.get(cell.toUpperCase()) ?? cell) : cell] as const;
    });
    return Object.fromEntries(named.filter(([, value]) => value !== ''));
  }).filter((attachment) => '@Dateiname' in attachment);
}

export function isOfAttachment(column: number): boolean {
  return column >= FIRST_ATTACHMENT && column < ATTACHMENTS_END;
}
