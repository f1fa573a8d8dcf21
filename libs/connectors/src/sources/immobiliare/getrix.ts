import { type XmlRecord, xmlRecords } from '../../formats/xml-records';
import type { FeedDocument, RecordContext, RecordFormat } from '../../kit/contracts';
import { rawProjection } from '../../kit/raw-projection';
import { listOf, scalarOf, textOf } from '../../kit/values';

/** The member that holds the original of a record in the Getrix format. */
const WRITTEN = '#getrix';
const RECORD = /^<Immobile[\s>]/;
/** Enough for the root element, whose name is not public, and the first record below it. */
const LOOKED_AT_BYTES = 64 * 1024;
const RECORD_BELOW = /<Immobile\s[^>]*\bIDImmobile\s*=/;
const FIRST_TAG = /<([A-Za-z_][\w.-]*)/;
const PHOTO = 'F';

const project = rawProjection({
  public: [
    ...['@IDImmobile', 'Contratto', 'Prezzo', 'Tipologia', 'Comune', 'Zona', 'Cap', 'MQSuperficie'],
    ...['Residenziale.NrCamereLetto', 'Residenziale.NrBagni', 'Residenziale.IPE', 'Residenziale.ClasseEnergetica'],
    ...['Commerciale.IPE', 'Commerciale.ClasseEnergetica'],
    ...['Descrizioni.Descrizione.@Lingua', 'Descrizioni.Descrizione.Titolo', 'Descrizioni.Descrizione.Testo'],
    ...['Immagini.Immagine.@Tipo', 'Immagini.Immagine.URL', 'Immagini.Immagine.Titolo'],
    'Immagini.Immagine.DataModifica',
  ],
  private: {
    Indirizzo: 'no element says whether the street may be shown',
    Civico: 'no element says whether the street may be shown',
    Latitudine: 'the exact point leads to the door',
    Longitudine: 'the exact point leads to the door',
  },
});

const LISTS = ['Descrizioni.Descrizione', 'Immagini.Immagine'];

/** Translates records of Getrix, the CRM of the portal, into the words of the portal's format, for one mapping. */
export function withGetrix(format: RecordFormat<XmlRecord>): RecordFormat<XmlRecord> {
  const written = (root: string): RecordFormat<XmlRecord> =>
    xmlRecords({ root, record: 'Immobile', recordParents: [], lists: LISTS, raw: project });
  const own = written('');
  return {
    ...format,
    async *slice(part) {
      const root = await rootOf(part);
      yield* (root === undefined ? format : written(root)).slice(part);
    },
    parse(bytes, context) {
      if (!RECORD.test(bytes.toString('latin1', 0, 20))) return format.parse(bytes, context);
      return inWordsOfThePortal(own.parse(bytes, context));
    },
    toRaw(record, context) {
      const getrix = record[WRITTEN] as XmlRecord | undefined;
      return getrix === undefined ? format.toRaw(record, context) : rawOf(getrix, context);
    },
  };
}

/** The name of the root element if the file has Getrix records. */
async function rootOf(part: FeedDocument): Promise<string | undefined> {
  let begin = '';
  for await (const chunk of part.open()) {
    begin += chunk.toString('latin1');
    if (begin.length >= LOOKED_AT_BYTES) break;
  }
  if (!RECORD_BELOW.test(begin)) return undefined;
  return FIRST_TAG.exec(begin.replace(/<[?!][^>]*>/g, ''))?.[1];
}

/** The sizes of a home are in one element, those of business premises in another. */
function inWordsOfThePortal(record: XmlRecord): XmlRecord {
  const { Residenziale: home, Commerciale: premises } = record as { [name: string]: XmlRecord | undefined };
  const energy = (name: string): unknown => memberOf(home, name) ?? memberOf(premises, name);
  const contract = textOf(record['Contratto']);
  return {
    [WRITTEN]: record,
    'unique-id': record['@IDImmobile'],
    ...(contract !== undefined && {
      transactions: {
        transaction: [{ '@type': CONTRACTS[contract.toUpperCase()] ?? contract, price: record['Prezzo'] }],
      },
    }),
    building: { '@map': record['Tipologia'] },
    location: {
      city: record['Comune'],
      locality: {
        'postal-code': record['Cap'],
        neighbourhood: record['Zona'],
        latitude: record['Latitudine'],
        longitude: record['Longitudine'],
      },
    },
    features: {
      size: record['MQSuperficie'],
      descriptions: {
        description: listOf(memberOf(record['Descrizioni'], 'Descrizione')).map((one) => ({
          ...{ '@language': memberOf(one, '@Lingua'), title: memberOf(one, 'Titolo'), content: memberOf(one, 'Testo') },
        })),
      },
      'energy-class': {
        ...{ '@value': textOf(energy('ClasseEnergetica')), 'energy-performance': indexOf(energy('IPE')) },
      },
    },
    'extra-features': { bedrooms: memberOf(home, 'NrCamereLetto'), bathrooms: memberOf(home, 'NrBagni') },
    pictures: {
      picture: photosIn(record).map((one) => ({
        '@url': textOf(memberOf(one, 'URL')),
        '#text': textOf(memberOf(one, 'Titolo')),
      })),
    },
  };
}

/** `A` is a letting (affitto), according to a public reader. */
const CONTRACTS: Readonly<Record<string, string>> = { A: 'R', AFFITTO: 'R', V: 'S', VENDITA: 'S' };

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as XmlRecord)[name] : undefined;
}

/** The index without the unit that may follow it: `12,5 kWh/m² anno`. */
function indexOf(value: unknown): string | undefined {
  const text = textOf(scalarOf(value));
  const unitAt = text?.search(/kwh/i) ?? -1;
  return unitAt === -1 ? text : text?.slice(0, unitAt).trimEnd();
}

/** Only pictures with the letter of photos. The letters of other kinds are not documented publicly. */
function photosIn(record: XmlRecord): unknown[] {
  return listOf(memberOf(record['Immagini'], 'Immagine')).filter(
    (one) => textOf(memberOf(one, '@Tipo'))?.toUpperCase() === PHOTO,
  );
}

function rawOf(record: XmlRecord, context: RecordContext): Record<string, unknown> {
  const isWhole = photosIn(record).length === listOf(memberOf(record['Immagini'], 'Immagine')).length;
  return project(isWhole ? record : { ...record, Immagini: { Immagine: photosIn(record) } }, context);
}
