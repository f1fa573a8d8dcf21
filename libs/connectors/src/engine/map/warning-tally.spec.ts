import { WarningTally } from './warning-tally';

describe('WarningTally', () => {
  it('counts equal warnings and keeps three examples', () => {
    const tally = new WarningTally();
    for (const id of ['1', '2', '2', undefined, '3', '4']) {
      tally.note('unknown_word', 'type', 'Igloo');
      tally.settle(id);
    }
    tally.note('unknown_word', 'type', 'Yourte');
    tally.settle('5');
    expect(tally.list()).toEqual([
      { code: 'unknown_word', field: 'type', value: 'Igloo', count: 6, examples: ['1', '2', '3'] },
      { code: 'unknown_word', field: 'type', value: 'Yourte', count: 1, examples: ['5'] },
    ]);
  });

  it('limits the number of entries when values or field names vary', () => {
    const tally = new WarningTally();
    for (let at = 0; at < 1000; at += 1) {
      tally.note('unknown_word', 'type', `word ${at}`);
      tally.note('unmapped_field', `field ${at}`, '');
      tally.settle('1');
    }
    const list = tally.list();
    expect(list.length).toBeLessThan(410);
    expect(list.reduce((sum, { count }) => sum + count, 0)).toBe(2000);
    expect(list).toContainEqual({ code: 'unknown_word', field: 'type', value: '…', count: 900, examples: ['1'] });
  });

  it('keeps a value of one code when another code has very many values', () => {
    const tally = new WarningTally();
    for (let at = 0; at < 1000; at += 1) tally.note('implausible_value', 'price', `${at}`);
    tally.note('unknown_word', 'type', 'Igloo');
    tally.settle('1');
    expect(tally.list()).toContainEqual({
      code: 'unknown_word',
      field: 'type',
      value: 'Igloo',
      count: 1,
      examples: ['1'],
    });
  });

  it('counts the warnings about photos together, and names a few of the photos', () => {
    const tally = new WarningTally();
    for (const name of ['1.jpg', '2.jpg', '2.jpg', '3.jpg', '4.jpg', '5.jpg']) {
      tally.note('photo_missing', '85', name);
      tally.settle(`of ${name}`);
    }
    expect(tally.list()).toEqual([
      {
        code: 'photo_missing',
        field: '85',
        value: '1.jpg, 2.jpg, 3.jpg, …',
        count: 6,
        examples: ['of 1.jpg', 'of 2.jpg', 'of 3.jpg'],
      },
    ]);
  });

  it('shortens long values', () => {
    const tally = new WarningTally();
    tally.note('implausible_value', 'x', 'y'.repeat(500));
    tally.settle('1');
    expect(tally.list()[0]?.value).toHaveLength(80);
  });
});
