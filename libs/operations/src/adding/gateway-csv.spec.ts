import { decodeCsv, parseGatewayCsv } from './gateway-csv';

const LINES = [
  ['crm', 'client', 'source', 'set:note'],
  ['kyero', 'one', 'https://x.example/1;a,b', 'Évêché “à” 5 €'],
];

describe('CSV of gateways', () => {
  it.each([',', ';', '\t'])('separates cells by %j, as in the line of titles', (delimiter) => {
    const csv = LINES.map((cells) => cells.map((cell) => `"${cell}"`).join(delimiter)).join('\r\n');
    const cells = { crm: 'kyero', client: 'one', source: 'https://x.example/1;a,b', 'set:note': 'Évêché “à” 5 €' };
    expect(parseGatewayCsv(csv)).toEqual([{ line: 2, cells }]);
    expect(parseGatewayCsv(`sep=${delimiter}\r\n${csv}`)).toEqual([{ line: 3, cells }]);
  });

  it('ignores empty cells, lines and ends of lines, as spreadsheets write them', () => {
    const csv = 'Crm;Client;source;every;;\r\nkyero; one ;https://x.example/1;;;\r\n;;;;;\r\n\r\nkyero\ttwo;b;;1h';
    expect(parseGatewayCsv(csv)).toEqual([
      { line: 2, cells: { crm: 'kyero', client: 'one', source: 'https://x.example/1' } },
      { line: 5, cells: { crm: 'kyero\ttwo', client: 'b', every: '1h' } },
    ]);
    expect(parseGatewayCsv('crm\tclient\tsource\nkyero\t\thttps://x.example/1')).toEqual([
      { line: 2, cells: { crm: 'kyero', source: 'https://x.example/1' } },
    ]);
  });

  it.each([
    ['crm,client\na,b,secret\na,b\na,b,,secret', 'has more cells than titles in line 2, 4'],
    ['crm,client\na,b\na,"secret', 'is not CSV in line 3 (CSV_QUOTE_NOT_CLOSED)'],
    ['crm,client\na,b\na,"x"secret', 'is not CSV in line 3 (CSV_INVALID_CLOSING_QUOTE)'],
    ['crm,client,crm\na,b,c', 'has two columns "crm"'],
    ['crm,name\na,b', 'has a column "name"; there are: crm, client'],
    ['crm,client', 'has no gateways'],
    ['', 'has no gateways'],
  ])('names the wrong lines or columns of %j', (csv, message) => {
    expect(() => parseGatewayCsv(csv)).toThrow(message);
    expect(() => parseGatewayCsv(csv)).not.toThrow('secret');
  });

  it.each<[string, Buffer]>([
    ['UTF-8', Buffer.from('é“€”')],
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFé“€”')],
    ['UTF-16', Buffer.from('\uFEFFé“€”', 'utf16le')],
    ['UTF-16 of another byte order', Buffer.from('\uFEFFé“€”', 'utf16le').swap16()],
    ['Windows-1252', Buffer.from([0xe9, 0x93, 0x80, 0x94])],
  ])('reads %s', (_encoding, bytes) => {
    expect(decodeCsv(bytes)).toBe('é“€”');
  });
});
