import { severalOffers } from '../../formats/several-offers';
import { type XmlRecord, xmlRecords } from '../../formats/xml-records';
import { toRevision } from '../../kit/clean/date';
import { toInteger } from '../../kit/clean/number';
import { defineConnector } from '../../kit/define-connector';
import { DOCUMENT_CREDENTIALS, documentFetch } from '../../kit/http-access';
import { toListing } from '../../kit/listing-mapping';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import { withGetrix } from './getrix';
import { MAPPING, whyWithdrawn } from './mapping';
import { DELETES, mayBeSeveral, offersOf } from './offer';
import { LISTS, toRaw } from './raw-fields';
import type { FeedDocument, RecordFormat, Slice } from '../../kit/contracts';
import { KEEP_SOLD_SETTING } from '../../kit/status';

/** The scope of files that delete properties one by one. */
const DELETIONS = 'deletions';
const IS_EMPTY = /\/>\s*$/;

/** Marks a file that deletes properties one by one. Warns about a file with projects, which are not read. */
function feedRecords(format: RecordFormat<XmlRecord>): RecordFormat<XmlRecord> {
  return { ...format, slice: (part) => slicesOf(format, part) };
}

async function* slicesOf(format: RecordFormat<XmlRecord>, part: FeedDocument): AsyncGenerator<Slice> {
  let deletes = false;
  for await (const slice of format.slice(part)) {
    if (slice.kind === 'context' && slice.name === 'projects') {
      if (!IS_EMPTY.test(slice.bytes.toString('latin1')))
        yield { kind: 'noticed', code: 'unmapped_field', field: 'projects', message: '' };
      continue;
    }
    if (!deletes && slice.kind === 'record' && DELETES.test(slice.bytes.toString('latin1', 0, 1_000))) {
      deletes = true;
      yield { kind: 'scope', scope: DELETIONS };
    }
    yield slice;
  }
}

const lastPageIn = compilePath('multipage.last');

/** Immobiliare.it, the import format of the portal, versions 2.0 to 2.8: XML, alone or in a ZIP. See README.md. */
export const connector = defineConnector<XmlRecord>({
  code: 'immobiliare',
  label: 'Immobiliare.it (XML, also in a ZIP)',
  type: 'zip',
  version: 10,
  notes:
    'Source: the XML in the format of Immobiliare.it, or the ZIP around it, dropped in the inbox or served over HTTP(S).',
  credentials: DOCUMENT_CREDENTIALS,
  settings: {
    ...KEEP_SOLD_SETTING,
    'agence-nom': 'Name of the agency, for properties whose agent has none.',
    langue: 'Language of titles and descriptions preferred to French, English and Italian, such as "de".',
    pays: 'Country of properties that do not name theirs. Default IT.',
    devise: 'Currency of prices that do not name theirs. Default EUR.',
  },
  fetch: documentFetch(),
  open: {
    container: 'zip-or-plain',
    holdsRecords: (entryName) => entryName.endsWith('.xml') && !(entryName.split('/').at(-1) ?? '').startsWith('._'),
  },
  format: feedRecords(
    severalOffers(
      withGetrix(
        xmlRecords({
          root: 'feed',
          record: 'property',
          recordParents: ['properties'],
          // Only `multipage` of `metadata`: the timestamp there would make all records look changed.
          context: ['multipage'],
          groups: ['projects'],
          beside: ['metadata', 'project'],
          lists: LISTS,
          numbers: {
            amounts: ['price', 'starting-price', 'Prezzo'],
            areas: ['size', 'external-area', 'office-size', 'surface', 'MQSuperficie'],
          },
          raw: toRaw,
        }),
      ),
      { mayBeSeveral, offersOf },
    ),
  ),
  map: toListing(MAPPING, {
    withdrawn: whyWithdrawn,
    revision: (record) => toRevision(textOf(record['date-updated'])),
    numbers: ['features.price', 'transactions.transaction.price', 'features.size', 'extra-features.external-area'],
  }),
  // A file with deletions, or one page of several, is not the whole list: listings that it does not name stay.
  coverage: (feed, scopes) => {
    const lastPage = toInteger(scalarOf(lastPageIn(feed))) ?? 1;
    return lastPage > 1 || scopes.includes(DELETIONS) ? { kind: 'delta' } : { kind: 'whole' };
  },
});
