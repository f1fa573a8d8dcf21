import { type SeenSession, SeenSessions } from './seen-sessions';

const aSession = (snapshotId = 1): SeenSession => ({ snapshotId, firstMs: 0, lastFirstMs: 0, finishedMs: null });

/** Sessions as `gateway/reader`. */
function all(sessions: SeenSessions): string[] {
  return [1, 2, 3].flatMap((id) => [...sessions.of(id).keys()].map((reader) => `${id}/${reader}`)).sort();
}

describe('SeenSessions', () => {
  it("keeps a limited number of sessions per gateway, and evicts the gateway's least recently used session", () => {
    const sessions = new SeenSessions({ mostOfAGateway: 2, most: 100 });
    const a = aSession();
    sessions.use(1, 'a', a);
    sessions.use(1, 'b', aSession());
    sessions.use(2, 'x', aSession());
    sessions.use(1, 'a', a);
    sessions.use(1, 'c', aSession());
    expect([all(sessions), sessions.size, sessions.get(1, 'a')]).toEqual([['1/a', '1/c', '2/x'], 3, a]);
  });

  it('keeps a limited number of sessions in total, and evicts all sessions of the gateway that was read least recently', () => {
    const sessions = new SeenSessions({ mostOfAGateway: 3, most: 4 });
    for (const reader of ['a', 'b']) sessions.use(1, reader, aSession());
    for (const reader of ['a', 'b']) sessions.use(2, reader, aSession());
    sessions.use(1, 'b', aSession());
    sessions.use(3, 'a', aSession());
    expect(all(sessions)).toEqual(['1/a', '1/b', '2/b', '3/a']);
    sessions.use(3, 'b', aSession());
    sessions.use(3, 'c', aSession());
    expect([all(sessions), sessions.size]).toEqual([['1/b', '3/a', '3/b', '3/c'], 4]);
  });

  it('keeps one session per reader until it is deleted', () => {
    const sessions = new SeenSessions();
    sessions.use(1, 'a', aSession(1));
    sessions.use(1, 'a', aSession(2));
    expect([sessions.size, sessions.get(1, 'a')?.snapshotId]).toEqual([1, 2]);
    sessions.delete(1, 'b');
    sessions.delete(1, 'a');
    sessions.delete(1, 'a');
    expect([sessions.size, all(sessions)]).toEqual([0, []]);
  });
});
