import * as c from './collections';
import { recordingContext } from '../../../../test/support/connectors/recording-context';
import * as v from './verbs';
import { wordTable } from './word-table';

function read<T>(verb: v.Verb<unknown, T>, record: unknown): { value: T | undefined; warnings: string[] } {
  const { context, warnings } = recordingContext('demo');
  return { value: verb.read(record, context), warnings };
}

describe('verbs for several values', () => {
  it('return features as clean lines, without duplicates and empty lines', () => {
    const list = c.features((record: unknown) => (record as { list: unknown[] }).list, 'list');
    expect(read(list, { list: ['Sea <b>view</b>', ' ', 'Sea view', null, 'Lift'] }).value).toEqual([
      'Sea view',
      'Lift',
    ]);
    expect(read(list, { list: ['', undefined] }).value).toBeUndefined();
  });

  it('list the names of the flags that mean yes', () => {
    const sides = c.yesInWords({ s: 'sud', e: 'est', n: 'nord' });
    expect(read(sides, { s: 'OUI', e: '1', n: 'NON' }).value).toBe('sud, est');
    expect(read(sides, { s: '0', n: 'perhaps' }).value).toBeUndefined();
  });

  it('return links as URLs and files, without duplicates', () => {
    const plans = c.links(
      () => [
        { value: 'https://plans.example.org/1.pdf', titre: ' Rez ' },
        { value: 'https://plans.example.org/1.pdf' },
        { value: 'plan.pdf' },
        { value: 'https://user:pw@plans.example.org/2.pdf' },
      ],
      'plans',
    );
    expect(read(plans, {})).toEqual({
      value: [
        { url: 'https://plans.example.org/1.pdf', titre: 'Rez', empreinte: expect.stringMatching(/^[0-9a-f]{16}$/) },
        { file: 'plan.pdf', field: 'plans' },
      ],
      warnings: ['photo_invalid plans https://…@plans.example.org/2.pdf'],
    });
    expect(
      read(
        c.links(() => []),
        {},
      ).value,
    ).toBeUndefined();
  });

  it.each([
    [{ a: '1', b: '2' }, { min: 1, max: 2 }, []],
    [{ a: '2', b: '2' }, { min: 2, max: 2 }, []],
    [{ a: '1' }, { min: 1 }, []],
    [{ b: '2' }, { max: 2 }, []],
    [{ a: '0', b: '' }, undefined, []],
    [{ a: '3', b: '2' }, undefined, ['implausible_value a 3 to 2']],
  ])('read the range %j as %j', (record, value, warnings) => {
    expect(read(c.range(v.decimal('a'), v.decimal('b')), record)).toEqual({ value, warnings });
  });

  it('add the period to an amount when the period is known', () => {
    const period = v.unit(wordTable<'mois' | 'an'>({ month: 'mois', year: 'an' }), 'b');
    expect(read(c.periodic(v.money('a'), 'an'), { a: '120' }).value).toEqual({ montant: 120, periode: 'an' });
    expect(read(c.periodic(v.money('a'), period), { a: '120', b: 'month' }).value).toEqual({
      montant: 120,
      periode: 'mois',
    });
    expect(read(c.periodic(v.money('a'), period), { a: '120' }).value).toEqual({ montant: 120 });
    expect(read(c.periodic(v.money('a'), period), { b: 'month' }).value).toBeUndefined();
    expect(read(c.periodic(v.money('a'), period), { a: '120', b: 'moon' })).toEqual({
      value: undefined,
      warnings: ['implausible_value b moon'],
    });
  });

  it.each([
    [{ a: ' Bon état ' }, 'Bon état', []],
    [{ a: 'oui', b: 'Gaz' }, 'Gaz', []],
    [{ a: '4', b: 'Gaz' }, 'Gaz', ['unknown_word a 4']],
    [{ a: '0' }, undefined, []],
    [{ a: 'non renseigné' }, undefined, []],
  ])('read the words in %j as %j', (record, value, warnings) => {
    expect(read(c.inWords('a', 'b'), record)).toEqual({ value, warnings });
  });

  it('omit words outside the table, and warn about them', () => {
    const sides = c.lookedUpInOneLine(wordTable({ '1': 'est', '2': 'nord' }), 'a');
    expect(read(sides, { a: ['2', 1, '2'] })).toEqual({ value: 'nord, est', warnings: [] });
    expect(read(sides, { a: ['9', '1'] })).toEqual({ value: 'est', warnings: ['unknown_word a 9'] });
    expect(read(sides, { a: ['0', '', 'n/a'] })).toEqual({ value: undefined, warnings: [] });
  });
});
