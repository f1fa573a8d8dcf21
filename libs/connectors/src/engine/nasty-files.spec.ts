import type { Connector } from '../kit/contracts';
import { connector as blm } from '../sources/blm/connector';
import { connector as idealista } from '../sources/idealista/connector';
import { connector as idx } from '../sources/idx/connector';
import { connector as immobiliare } from '../sources/immobiliare/connector';
import { connector as inmovilla } from '../sources/inmovilla/connector';
import { connector as is24 } from '../sources/is24/connector';
import { connector as kyero } from '../sources/kyero/connector';
import { connector as openimmo } from '../sources/openimmo/connector';
import { connector as poliris } from '../sources/poliris/connector';
import { connector as swissrets } from '../sources/swissrets/connector';
import { connector as swissretsjson } from '../sources/swissretsjson/connector';
import { connector as ubiflow } from '../sources/ubiflow/connector';
import { choicesOf } from '../../../../test/support/connectors/choices';
import { readDropped } from '../../../../test/support/connectors/read-dropped';

const IDS = ['1', '2', '3', '4', '5', '6'];

function cells(count: number, own: Readonly<Record<number, string>>): string[] {
  return Array.from({ length: count }, (_, index) => own[index] ?? '');
}

/** Files with six listings in Lyon, for each connector. */
const FILES: readonly (readonly [connector: Connector, file: string])[] = [
  [ubiflow, `<annonces>${IDS.map((id) => `<annonce id="${id}"><ville>Lyon</ville></annonce>`).join('')}</annonces>`],
  [kyero, `<root>${IDS.map((id) => `<property><id>${id}</id><town>Lyon</town></property>`).join('')}</root>`],
  [
    inmovilla,
    `<propiedades>${IDS.map((id) => `<propiedad><id>${id}</id><ciudad>Lyon</ciudad></propiedad>`).join('')}</propiedades>`,
  ],
  [
    immobiliare,
    `<feed><properties>${IDS.map((id) => `<property><unique-id>${id}</unique-id><location><city>Lyon</city></location></property>`).join('')}</properties></feed>`,
  ],
  [
    is24,
    `<IS24ImmobilienTransfer><Anbieter ScoutKundenID="1">${IDS.map((id) => `<WohnungKauf AnbieterObjektID="${id}"><Adresse Ort="Lyon"/></WohnungKauf>`).join('')}</Anbieter></IS24ImmobilienTransfer>`,
  ],
  [is24, IDS.map((id) => `${cells(182, { 0: 'I', 1: '1', 2: '2', 7: id, 53: 'Lyon' }).join('|')}\r\n`).join('')],
  [
    idealista,
    `{"customerCountry":"Spain","customerProperties":[${IDS.slice(0, 2)
      .map((id) => `{"propertyCode":"${id}","propertyAddress":{"addressTown":"Lyon"}}`)
      .join(
        ',',
      )}],"customerNewDevelopments":[{"propertyCode":"N","propertyAddress":{"addressTown":"Lyon"},"newDevelopmentTypologies":[${IDS.slice(
      2,
    )
      .map((id) => `{"propertyCode":"${id}"}`)
      .join(',')}]}]}`,
  ],
  [
    swissrets,
    `<export><properties>${IDS.map((id) => `<property id="${id}"><address><locality>Lyon</locality></address></property>`).join('')}</properties></export>`,
  ],
  [
    swissretsjson,
    `{"generator":{"version":"3.6.0"},"properties":[${IDS.map((id) => `{"id":"${id}","address":{"locality":"Lyon"}}`).join(',')}]}`,
  ],
  [
    openimmo,
    `<openimmo><uebertragung umfang="VOLL"/><anbieter><openimmo_anid>A</openimmo_anid>${IDS.map((id) => `<immobilie><geo><ort>Lyon</ort></geo><verwaltung_techn><openimmo_obid>${id}</openimmo_obid></verwaltung_techn></immobilie>`).join('')}</anbieter></openimmo>`,
  ],
  [poliris, IDS.map((id) => `"${cells(334, { 0: 'A', 1: id, 2: 'Vente', 5: 'Lyon' }).join('"!#"')}"\r\n`).join('')],
  [
    blm,
    `#HEADER#\r\nVersion : 3\r\nEOF : '^'\r\nEOR : '~'\r\nProperty Count : ${IDS.length}\r\n#DEFINITION#\r\nAGENT_REF^TOWN^SUMMARY^~\r\n#DATA#\r\n${IDS.map((id) => `${id}^Lyon^A text^~\r\n`).join('')}#END#\r\n`,
  ],
  [
    idx,
    IDS.map(
      (id) =>
        `${cells(183, { 0: 'IDX3.01', 2: 'APPT', 4: 'SALE', 5: id, 10: 'Lyon', 18: '500000', 177: '25.02.2024' }).join('#')}\r\n`,
    ).join(''),
  ],
];

/**
 * Returns `right` if all listings are read correctly, otherwise how the engine reports the fault; `silent` if it does
 * not report it.
 */
async function outcomeOf(connector: Connector, file: string | Buffer): Promise<string> {
  try {
    const { listings, rejections, summary } = await readDropped(connector, file);
    if (listings.length === IDS.length && listings.every(({ ville }) => /^\W*lyon\W*$/i.test(ville ?? '')))
      return 'right';
    if (summary.incomplete !== null) return 'incomplete';
    if (summary.records === 0 && file.toString().trim().replaceAll('\0', '') === '') return 'no records';
    return rejections.length > 0 ? 'rejected' : summary.warnings.length > 0 ? 'warned' : 'silent';
  } catch {
    return 'failed';
  }
}

/** The separators between values. */
const STRUCTURE = /[<>/"'#~^{}[\]:,!;=|]/g;
/** How many files of each connector are damaged, at positions that a seed chooses. */
const SPOILT = 24;

/**
 * Files with a missing or an additional separator between values. The whole border between two records is never
 * removed, because no reader can detect its loss when identifiers are attributes.
 */
function spoilt(file: string): readonly (readonly [what: string, content: string])[] {
  const places = [...file.matchAll(STRUCTURE)].map(({ index }) => index);
  const choices = choicesOf(7);
  return Array.from({ length: SPOILT }, (_, number) => {
    const at = choices.pick(places);
    const length = number % 3 === 0 ? choices.integer(3, 12) : 1;
    const put = number % 3 === 1 ? choices.pick(['<', '"', '&', '>', '#', '~', '^']) : '';
    const content = `${file.slice(0, at)}${put}${file.slice(put === '' ? at + length : at)}`;
    return [
      `${at}: ${file.slice(Math.max(0, at - 9), at)}[${put === '' ? `-${file.slice(at, at + length)}` : `+${put}`}]`,
      content,
    ];
  });
}

const CUTS = Array.from({ length: 16 }, (_, index) => (index + 1) / 17);

describe.each(FILES.map(([connector, file]) => [connector.code, connector, file] as const))(
  'a %s file',
  (_code, connector, file) => {
    it('is read correctly', async () => {
      expect(await outcomeOf(connector, file)).toBe('right');
    });

    it('is read correctly when there is no line break at its end', async () => {
      expect(await outcomeOf(connector, file.trimEnd())).toBe('right');
    });

    it.each(CUTS)('is never accepted with missing listings when it is cut at %f of its length', async (share) => {
      const outcome = await outcomeOf(connector, file.slice(0, Math.floor(file.length * share)));
      expect(['incomplete', 'failed', 'right']).toContain(outcome);
    });

    it.each(spoilt(file))('is read correctly or reported when it is damaged at %s', async (_where, content) => {
      expect(await outcomeOf(connector, content)).not.toBe('silent');
    });

    it.each<[string, string | Buffer]>([
      ['begins with a byte order mark', `\ufeff${file}`],
      ['is encoded in UTF-16', Buffer.from(`\ufeff${file}`, 'utf16le')],
      ['ends its lines with CR only', file.replaceAll('\r\n', '\r')],
      ['begins with blank lines', `\n\n${file}`],
      ['begins with a warning from the exporter', `Warning: mysqli\n${file}`],
      ['is followed by a web page', `${file}<html></html>`],
      ['contains a NUL character', file.replace('Lyon', 'Ly\0on')],
      ['contains replacement characters', file.replaceAll('Lyon', 'Lyon\ufffd')],
    ])('is read correctly or reported when it %s', async (_what, content) => {
      expect(await outcomeOf(connector, content)).not.toBe('silent');
    });

    it.each([
      ['a web page', '<!doctype html><html><body>Maintenance</body></html>'],
      ['an error in XML', '<?xml version="1.0"?><error>quota exceeded</error>'],
      ['an error in JSON', '{"error":"quota exceeded"}'],
      ['made of blanks', '  \r\n \r\n'],
      ['made of zero bytes', '\0'.repeat(64)],
    ])('is reported or has no records when it is %s', async (_what, content) => {
      // The publish gate judges a feed without records.
      expect(['incomplete', 'failed', 'rejected', 'warned', 'no records']).toContain(
        await outcomeOf(connector, content),
      );
    });
  },
);
