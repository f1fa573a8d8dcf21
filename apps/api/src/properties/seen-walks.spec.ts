import { type SeenWalk, SeenWalks } from './seen-walks';

const aWalk = (snapshotId = 1): SeenWalk => ({ snapshotId, firstMs: 0, lastFirstMs: 0, finishedMs: null });

/** Walks as `gateway/reader`. */
function all(walks: SeenWalks): string[] {
  return [1, 2, 3].flatMap((id) => [...walks.of(id).keys()].map((reader) => `${id}/${reader}`)).sort();
}

describe('the walks that were seen', () => {
  it('are so many of a gateway: its own that was used least recently goes', () => {
    const walks = new SeenWalks({ mostOfAGateway: 2, most: 100 });
    const a = aWalk();
    walks.use(1, 'a', a);
    walks.use(1, 'b', aWalk());
    walks.use(2, 'x', aWalk());
    walks.use(1, 'a', a);
    walks.use(1, 'c', aWalk());
    expect([all(walks), walks.size, walks.get(1, 'a')]).toEqual([['1/a', '1/c', '2/x'], 3, a]);
  });

  it('are so many of all gateways: those of the gateway that was read least recently go', () => {
    const walks = new SeenWalks({ mostOfAGateway: 3, most: 4 });
    for (const reader of ['a', 'b']) walks.use(1, reader, aWalk());
    for (const reader of ['a', 'b']) walks.use(2, reader, aWalk());
    walks.use(1, 'b', aWalk());
    walks.use(3, 'a', aWalk());
    expect(all(walks)).toEqual(['1/a', '1/b', '2/b', '3/a']);
    walks.use(3, 'b', aWalk());
    walks.use(3, 'c', aWalk());
    expect([all(walks), walks.size]).toEqual([['1/b', '3/a', '3/b', '3/c'], 4]);
  });

  it('have one place for each reader, and are forgotten by it', () => {
    const walks = new SeenWalks();
    walks.use(1, 'a', aWalk(1));
    walks.use(1, 'a', aWalk(2));
    expect([walks.size, walks.get(1, 'a')?.snapshotId]).toEqual([1, 2]);
    walks.delete(1, 'b');
    walks.delete(1, 'a');
    walks.delete(1, 'a');
    expect([walks.size, all(walks)]).toEqual([0, []]);
  });
});
