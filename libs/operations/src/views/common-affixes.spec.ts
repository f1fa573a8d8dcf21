import { commonAffixes } from './common-affixes';

describe('commonAffixes', () => {
  it('finds the longest common beginning and the longest common end', () => {
    expect(commonAffixes(['LYON-1', 'LYON-2', 'LYON-3', 'PARIS-4'])).toEqual([
      { where: 'begins', part: 'LYON-', count: 3 },
    ]);
    expect(commonAffixes(['17/a', '25/a', '33/b', '41/a'])).toEqual([{ where: 'ends', part: '/a', count: 3 }]);
  });

  it('finds nothing when fewer than half of the identifiers share a part, or when the list is short', () => {
    expect(commonAffixes(['a1', 'b2', 'c3', 'd4', 'd5'])).toEqual([]);
    expect(commonAffixes(['LYON-1', 'LYON-2', 'LYON-3'])).toEqual([]);
    expect(commonAffixes([])).toEqual([]);
  });

  it('finds a whole identifier that is the beginning of the other identifiers', () => {
    expect(commonAffixes(['7', '7', '71', '72'])).toEqual([
      { where: 'begins', part: '7', count: 4 },
      { where: 'ends', part: '7', count: 2 },
    ]);
  });
});
