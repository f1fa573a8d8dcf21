/** Codes, each with the word that the XML uses for it. */
type Codes = ReadonlyMap<string, string>;

const codes = (table: Readonly<Record<string, string>>): Codes => new Map(Object.entries(table));

const YES_NO = codes({ J: 'true', N: 'false' });
const CHOICE = codes({ J: 'ja', N: 'nein', V: 'nachVereinbarung' });
const NOTHING = 'keineAngabe';

/** One list for all kinds: a code that two kinds share has the same meaning in both. */
const CATEGORY = codes({
  ...{ 0: NOTHING, 3: 'Dachgeschoss', 6: 'Loft', 7: 'Maisonette', 8: 'Penthouse', 40: 'Terrassenwohnung' },
  ...{ 117: 'Erdgeschoss', 118: 'Etagenwohnung', 127: 'Hochparterre', 128: 'Souterrain', 113: 'Sonstige' },
  ...{ 14: 'Bauernhaus', 15: 'Bungalow', 17: 'Doppelhaushaelfte', 18: 'Einfamilienhaus', 21: 'Mehrfamilienhaus' },
  ...{ 24: 'Villa', 25: 'Reihenhaus', 43: 'Zweifamilienhaus', 119: 'BesondereImmobilie', 123: 'Reihenmittelhaus' },
  ...{ 124: 'Reiheneckhaus', 125: 'BurgSchloss', 126: 'Sonstige' },
  ...{ 56: 'Wohnen', 57: 'Gewerbe', 58: 'LandForstwirtschaft', 59: 'Freizeit' },
  ...{ 37: 'Atelier', 60: 'Buero', 61: 'BueroEtage', 62: 'Buerohaus', 63: 'Buerozentrum', 64: 'BueroUndLagerGebaeude' },
  ...{ 65: 'Praxis', 66: 'PraxisEtage', 67: 'PraxisHaus', 68: 'GewerbeZentrum', 138: 'WohnUndGeschaeftsgebaeude' },
  ...{ 139: 'BueroUndGeschaeftsgebaeude', 69: 'Ausstellungsflaeche', 70: 'Einkaufszentrum', 71: 'FactoryOutlet' },
  ...{ 72: 'Kaufhaus', 73: 'Kiosk', 74: 'Laden', 75: 'SBMarkt', 76: 'Verkaufsflaeche', 77: 'Verkaufshalle' },
  ...{ 78: 'Barbetrieb', 79: 'Caffee', 80: 'Diskothek', 81: 'Gaestehaus', 82: 'Gaststaette', 83: 'Hotel' },
  ...{ 84: 'Hotelanwesen', 85: 'HotelGarni', 86: 'Pension', 87: 'Restaurant', 104: 'Ferienbungalow', 88: 'Halle' },
  ...{ 89: 'Hochregallager', 90: 'Industriehalle', 91: 'IndustriehalleMitFreiflaeche', 92: 'Kuehlhaus' },
  ...{ 93: 'Kuehlregallager', 94: 'LagerMitFreiflaeche', 95: 'Lagerflaeche', 96: 'Lagerhalle', 97: 'Serviceflaeche' },
  ...{ 98: 'Speditionslager', 99: 'Werkstatt', 44: 'Anwesen', 45: 'Bauernhof', 49: 'Reiterhof', 52: 'Weingut' },
  ...{ 100: 'Freizeitanlage', 102: 'Gewerbeflaeche', 103: 'Spezialobjekt', 105: 'Gewerbepark' },
  ...{ 38: 'Eigentumswohnung', 101: 'Gewerbeeinheit', 106: 'Buerogebaeude', 107: 'Geschaeftshaus' },
  ...{ 108: 'Gewerbeanwesen', 109: 'HalleLager', 110: 'Industrieanwesen', 111: 'LadenVerkaufsflaeche' },
  ...{ 112: 'Servicecenter', 114: 'Supermarkt', 115: 'WohnGeschaeftshaus', 116: 'Wohnanlage' },
  ...{ 129: 'Garage', 130: 'Tiefgarage', 131: 'Parkhaus', 132: 'Carport', 133: 'Aussenstellplatz', 134: 'Duplex' },
});

const FLAGS = [
  ...['@Adressdruck', '@Provisionspflichtig', '@Aufzug', '@BalkonTerrasse', '@GartenBenutzung', '@Einbaukueche'],
  ...['@BetreutesWohnen', '@Foerderung', '@Rollstuhlgerecht', '@Barrierefrei', '@GaesteWC', '@Keller', '@Vermietet'],
  ...['@AlsFerienwohnungGeeignet', '@Denkmalschutzobjekt', '@MitEinliegerwohnung', '@Mobilar', '@Personenaufzug'],
  ...['@BaugenehmigungVorhanden', '@AbrissErforderlich', '@KurzfristigBebaubar', '@Kantine', '@Starkstrom', '@Rampe'],
  ...['@KuecheVorhanden', '@Gastterrasse', '@Hebebuehne', 'Energieausweis.@WarmwasserEnthalten'],
  'Mietpreise.@HeizkostenInWarmmieteEnthalten',
];

/** Codes that the mapping looks up. An unknown code stays unchanged, and the mapping warns about it. */
export const LOOKED_UP: ReadonlyMap<string, Codes> = new Map<string, Codes>([
  ...FLAGS.map((path) => [path, YES_NO] as const),
  ...['@Haustiere', '@Klimaanlage', '@DatenVerkabelung'].map((path) => [path, CHOICE] as const),
  ...['@WohnungKategorie', '@HausKategorie', '@Objektkategorie2', '@ObjektKategorie2'].map(
    (path) => [path, CATEGORY] as const,
  ),
  ['@WazKategorie', codes({ 0: 'Zimmer', 1: 'Appartment', 2: 'Wohnung', 3: 'Haus' })],
  ['@Importmodus', codes({ I: 'importieren', U: 'aktualisieren', D: 'loeschen', N: 'ignorieren' })],
  ['@StatusIS24', codes({ 0: 'inaktiv', 1: 'aktiv' })],
  ['@RaucherOk', codes({ 0: 'false', 1: 'true' })],
  ['Vermarktung.Miete.@Pro', codes({ M: 'Monat', Q: 'Quadratmeter' })],
  ['Pauschalmiete.@MietePro', codes({ T: 'Tag', W: 'Woche', M: 'Monat' })],
  [
    'Energieausweis.@Energieausweistyp',
    codes({ 1: 'KeineAngabe', 2: 'Endenergiebedarf', 3: 'Energieverbrauchskennwert' }),
  ],
]);

/** The kind of a file. */
export const ATTACHMENT_KINDS = codes({
  ...{ B: 'bild', V: 'video', S: 'sound', L: 'link', GB: 'grundrissBild', GP: 'grundrissPDF' },
});

/** Codes whose words the mapping passes on. An unknown code gives a warning and no word. */
export const SAID: ReadonlyMap<string, Codes> = new Map<string, Codes>([
  [
    '@Objektzustand',
    codes({
      ...{ 0: NOTHING, 1: 'Erstbezug', 2: 'Neuwertig', 3: 'VollstaendigRenoviert', 4: 'Renovierungsbeduerftig' },
      ...{ 5: 'Modernisiert', 6: 'NachVereinbarung', 7: 'Gepflegt', 8: 'ErstbezugNachSanierung', 9: 'Saniert' },
      ...{ 10: 'Unrenoviert', 11: 'Abbruchreif' },
    }),
  ],
  ['@Heizungsart', codes({ 0: NOTHING, 1: 'Etagenheizung', 4: 'Ofenheizung', 5: 'Zentralheizung' })],
  ['@Ausstattungsqualitaet', codes({ 1: NOTHING, 2: 'Luxus', 3: 'Gehoben', 4: 'Normal', 5: 'Einfach' })],
  ['@Bauphase', codes({ 1: NOTHING, 2: 'HausInPlanung', 3: 'HausImBau', 4: 'HausFertigGestellt' })],
  [
    '@Parkplatz',
    codes({
      ...{ 1: NOTHING, 2: 'Garage', 3: 'Aussenstellplatz', 4: 'Carport', 5: 'Duplex', 6: 'Parkhaus', 7: 'Tiefgarage' },
      ...{ J: 'true', N: 'false' },
    }),
  ],
  [
    '@Bodenbelag',
    codes({
      ...{ 0: NOTHING, 1: 'Beton', 2: 'Epoxidharzboden', 3: 'Fliesen', 4: 'Laminat', 5: 'Parkett', 6: 'PVC' },
      ...{ 7: 'Teppichboden', 8: 'AntistatischerTeppichboden', 9: 'StuhlrollenfesteTeppichfliesen', 10: 'Stein' },
      ...{ 11: 'NachMieterwunsch', 12: 'OhneBelag' },
    }),
  ],
  ['@Lageart', codes({ 0: NOTHING, 1: 'ALage', 2: 'BLage', 3: 'Einkaufszentrum' })],
  [
    '@Zulieferung',
    codes({
      ...{ 0: NOTHING, 1: 'Direkt', 2: 'Indirekt', 3: 'PKW', 4: 'VonVorn', 5: 'VonHinten', 6: 'Ganztaegig' },
      ...{ 7: 'Vormittags' },
    }),
  ],
  ['@BebaubarNach', codes({ U: 'unbekannt', B: 'Bebauungsplan', N: 'Nachbarbebauung', A: 'Aussengebiet' })],
  ['@Erschliessungszustand', codes({ E: 'Erschlossen', T: 'Teilerschlossen', U: 'Unerschlossen' })],
]);

/** Temporary homes have their own codes for the kind of heating. */
export const HEATING_OF_WAZ = codes({ 0: 'Etagenheizung', 1: 'Ofenheizung', 2: 'Zentralheizung' });

/** Codes whose words are elements of the XML. One cell may contain several codes, separated by semicolons. */
export const ELEMENTS: ReadonlyMap<string, Codes> = new Map<string, Codes>([
  ['Vermarktung', codes({ K: 'Kauf', M: 'Miete', P: 'Pacht', E: 'Erbpacht' })],
  [
    'BefeuerungsArt',
    codes({
      ...{ 1: 'KeineAngabe', 2: 'Erdwaerme', 3: 'Solarheizung', 4: 'Pelletheizung', 5: 'Gas', 6: 'Oel' },
      ...{ 7: 'Fernwaerme', 8: 'Strom', 9: 'Kohle' },
    }),
  ],
  [
    'BebaubarMit',
    codes({
      ...{ 1: 'Ackerland', 2: 'Bauerwartungsland', 3: 'Bootsstaende', 4: 'Buero', 5: 'Camping', 6: 'Doppelhaus' },
      ...{ 7: 'Einfamilienhaus', 8: 'Einzelhandel-gross', 9: 'Einzelhandel-klein', 10: 'Garagen', 11: 'Garten' },
      ...{ 12: 'Gastronomie', 13: 'Gewerbe', 14: 'Hotel', 15: 'Industrie', 16: 'keineBebauung', 17: 'Kleingewerbe' },
      ...{ 18: 'Lager', 19: 'Mehrfamilienhaus', 20: 'Obstpflanzung', 21: 'Parkhaus', 22: 'Produktion' },
      ...{ 23: 'Reihenhaus', 24: 'Stellplaetze', 25: 'Villa', 26: 'Wald' },
    }),
  ],
]);
