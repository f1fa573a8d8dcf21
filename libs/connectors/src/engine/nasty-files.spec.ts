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
import { connector as ubiflow } from '../sources/ubiflow/connector';
import { readDropped } from './testing/read-dropped';

const IDS = ['1', '2', '3'];

function cells(count: number, own: Readonly<Record<number, string>>): string[] {
  return Array.from({ length: count }, (_, index) => own[index] ?? '');
}

/** A file of three listings in Lyon, by connector. */
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
  [
    idealista,
    `{"customerCountry":"Spain","customerProperties":[${IDS.slice(0, 2)
      .map((id) => `{"propertyCode":"${id}","propertyAddress":{"addressTown":"Lyon"}}`)
      .join(
        ',',
      )}],"customerNewDevelopments":[{"propertyCode":"N","propertyAddress":{"addressTown":"Lyon"},"newDevelopmentTypologies":[{"propertyCode":"3"}]}]}`,
  ],
  [
    swissrets,
    `<export><properties>${IDS.map((id) => `<property id="${id}"><address><locality>Lyon</locality></address></property>`).join('')}</properties></export>`,
  ],
  [
    openimmo,
    `<openimmo><uebertragung umfang="VOLL"/><anbieter><openimmo_anid>A</openimmo_anid>${IDS.map((id) => `<immobilie><geo><ort>Lyon</ort></geo><verwaltung_techn><openimmo_obid>${id}</openimmo_obid></verwaltung_techn></immobilie>`).join('')}</anbieter></openimmo>`,
  ],
  [poliris, IDS.map((id) => `"${cells(334, { 0: 'A', 1: id, 2: 'Vente', 5: 'Lyon' }).join('"!#"')}"\r\n`).join('')],
  [
    blm,
    `#HEADER#\r\nVersion : 3\r\nEOF : '^'\r\nEOR : '~'\r\nProperty Count : 3\r\n#DEFINITION#\r\nAGENT_REF^TOWN^SUMMARY^~\r\n#DATA#\r\n${IDS.map((id) => `${id}^Lyon^A text^~\r\n`).join('')}#END#\r\n`,
  ],
  [
    idx,
    IDS.map(
      (id) =>
        `${cells(183, { 0: 'IDX3.01', 2: 'APPT', 4: 'SALE', 5: id, 10: 'Lyon', 18: '500000', 177: '25.02.2024' }).join('#')}\r\n`,
    ).join(''),
  ],
];

/** `right` where all three are read, else how it is noticed that they are not; `silent` where nothing says so. */
async function outcomeOf(connector: Connector, file: string): Promise<string> {
  try {
    const { listings, rejections, summary } = await readDropped(connector, file);
    if (listings.length === IDS.length && listings.every(({ ville }) => ville === 'Lyon')) return 'right';
    if (summary.incomplete !== null) return 'incomplete';
    if (summary.records === 0 && file.trim().replaceAll('\0', '') === '') return 'no records';
    return rejections.length > 0 ? 'rejected' : summary.warnings.length > 0 ? 'warned' : 'silent';
  } catch {
    return 'failed';
  }
}

const CUTS = Array.from({ length: 16 }, (_, index) => (index + 1) / 17);

describe.each(FILES.map(([connector, file]) => [connector.code, connector, file] as const))(
  'a file of %s',
  (_code, connector, file) => {
    it('is read right', async () => {
      expect(await outcomeOf(connector, file)).toBe('right');
    });

    it('is read right without a line break at its end', async () => {
      expect(await outcomeOf(connector, file.trimEnd())).toBe('right');
    });

    it.each(CUTS)('that is cut at %f of its length is never taken for whole', async (share) => {
      const outcome = await outcomeOf(connector, file.slice(0, Math.floor(file.length * share)));
      expect(['incomplete', 'failed', 'right']).toContain(outcome);
    });

    it.each([
      ['a web page', '<!doctype html><html><body>Maintenance</body></html>'],
      ['an error', '<?xml version="1.0"?><error>quota exceeded</error>'],
      ['an error in JSON', '{"error":"quota exceeded"}'],
      ['blanks', '  \r\n \r\n'],
      ['zeros', '\0'.repeat(64)],
    ])('that is %s is no empty list', async (_what, content) => {
      // No records at all are for the publish gate to judge.
      expect(['incomplete', 'failed', 'rejected', 'warned', 'no records']).toContain(
        await outcomeOf(connector, content),
      );
    });
  },
);
