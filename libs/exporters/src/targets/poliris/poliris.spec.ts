import { join } from 'node:path';
import { type Listing } from '@passerelle/domain';
import iconv from 'iconv-lite';
import type { ExportContext } from '../../kit/contracts';
import { describeTarget } from '../../../../../test/support/targets/describe-target';
import { fullListing } from '../../../../../test/support/targets/full-listing';
import { contextFor, itemOf } from '../../../../../test/support/targets/placements';
import { technicalId } from './row';
import { target } from './target';

describeTarget(target, {
  fixturesDir: join(__dirname, '__fixtures__'),
  read: readIds,
  idOf: ({ advertId }) => technicalId(advertId),
  onlyWith: { dpeClasse: { energie: undefined }, gesClasse: { energie: undefined } },
});

/** Reads as the specification says: lines, then cells in quotes. */
function readIds(document: Buffer, context: ExportContext): string[] {
  const isUtf8 = context.placement.settings['encoding'] === 'utf-8';
  const text = isUtf8 ? document.toString('utf8') : iconv.decode(document, 'iso-8859-1');
  const lines = text.split('\r\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => {
    expect(line).toMatch(/^"[^"\n\r]*"(?:!#"[^"\n\r]*")*$/);
    // A careless reader splits at the separator alone.
    const cells = line.split('!#').map((cell) => cell.slice(1, -1));
    expect(cells).toHaveLength(334);
    return cells[174]!;
  });
}

describe('Poliris advert', () => {
  const context = (settings: Record<string, string>): ExportContext => contextFor(target, { settings });
  const cells = (listing: Listing, settings: Record<string, string> = {}): string[] => [
    '',
    ...target.advert(itemOf(listing), context(settings)).trim().slice(1, -1).split('"!#"'),
  ];

  it.each([
    ['4.12', 334, '01/01/2021'],
    ['4.11', 333, '01/01/2021'],
    ['4.09', 329, '2021'],
  ])('has the columns of version %s', (version, columns, prices) => {
    const row = cells(fullListing(), { version });
    expect([row.length - 1, row[301], row[328]]).toEqual([columns, version, prices]);
  });

  it('writes fees of a sale as a share, and none that the seller pays', () => {
    const sale = {
      prix: 210_000,
      honoraires: 10_000,
      honorairesUnite: 'montant',
      prixHorsHonoraires: undefined,
    } as const;
    expect(cells(fullListing(sale))[15]).toBe('5');
    const paid = { honoraires: undefined, honorairesUnite: undefined, honorairesCharge: 'vendeur' } as const;
    expect([cells(fullListing(paid))[15], cells(fullListing(paid))[302]]).toEqual(['0', '2']);
  });

  it('writes the rent with charges', () => {
    const rent = {
      typeTransaction: 'location',
      loyer: 800,
      loyerHorsCharges: 800,
      loyerChargesComprises: 850,
    } as const;
    expect(cells(fullListing(rent)).slice(11, 14)).toEqual(['850', '', 'OUI']);
    expect(cells(fullListing({ ...rent, loyerChargesComprises: undefined })).slice(11, 14)).toEqual(['800', '', 'NON']);
  });

  it('keeps two long identifiers apart, and leaves a short one as it is', () => {
    const long = 'a'.repeat(40);
    expect(new Set([technicalId(`${long}1`), technicalId(`${long}2`)]).size).toBe(2);
    expect([technicalId(`${long}1`).length, technicalId('AG1-77')]).toEqual([30, 'AG1-77']);
  });

  it('gives a file of a changed photo another name, and the same name to the line and to the archive', () => {
    const files = context({ photos: 'files' });
    const file = target.document.file(files);
    const named = (listing: Listing): string[] =>
      file.kind === 'zip' ? file.photos!(itemOf(listing), files).map(({ name }) => name) : [];
    const [first, ...others] = named(fullListing());
    expect([first, others.length]).toEqual([cells(fullListing(), { photos: 'files' })[85], 2]);
    const changed = fullListing().photos.map((photo, at) =>
      at === 0 ? { ...photo, empreinte: 'ffffffffffffffff' } : photo,
    );
    expect(named(fullListing({ photos: changed }))).not.toContain(first);
    expect(named(fullListing({ photos: changed })).slice(1)).toEqual(others);
  });

  it('writes the two files beside the adverts, or none', () => {
    const beside = (settings: Record<string, string>): unknown => {
      const file = target.document.file(context(settings));
      return file.kind === 'zip' && [file.name, file.beside, file.photos === undefined];
    };
    const config = (mode: string): object => ({
      'Config.txt': 'Version=4.12\r\nApplication=Passerelle / 1\r\nDevise=Euro\r\n',
      'Photos.cfg': `Mode=${mode}\r\n`,
    });
    expect(beside({})).toEqual(['annonces.zip', config('URL'), true]);
    expect(beside({ photos: 'files', file: 'a_b.zip' })).toEqual(['a_b.zip', config('FULL'), false]);
    expect(beside({ beside: 'non' })).toEqual(['annonces.zip', {}, true]);
  });

  it.each<[string, Parameters<typeof fullListing>[0], string[]]>([
    ['a sold one', { statut: 'vendu' }, ['statut must not be sold or let']],
    [
      'an auction',
      { typeTransaction: 'enchere' },
      ['typeTransaction must not be an auction, a project or an unknown kind of offer'],
    ],
    ['one without a price', { prix: undefined }, ['prix is required: the format has no advert without a price']],
    [
      'one in another currency',
      { prixCurrency: 'CHF' },
      ['prixCurrency must be EUR: the format has no other currency'],
    ],
    [
      'a house without rooms and texts',
      { nbrePieces: undefined, commentaires: undefined },
      ['nbrePieces is required', 'commentaires is required'],
    ],
    ['a plot without rooms', { typeCode: 'terrain', nbrePieces: undefined }, []],
    ['one without fees', { honoraires: undefined, honorairesCharge: undefined }, []],
  ])('is not made of %s', (_title, changes, expected) => {
    const found = target.shortfalls(itemOf(fullListing(changes)), context({}));
    expect(found.map(({ field, need }) => `${field} ${need}`)).toEqual(expected);
  });

  it('needs fees where the portal is strict', () => {
    const listing = fullListing({ honoraires: undefined, honorairesCharge: undefined });
    expect(target.shortfalls(itemOf(listing), context({ strict: 'oui' })).map(({ field }) => field)).toEqual([
      'honoraires',
    ]);
  });
});
