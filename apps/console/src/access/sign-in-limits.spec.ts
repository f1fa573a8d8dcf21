import { SignInLimits } from './sign-in-limits';

const KNOWN = '203.0.113.0/24';

function setUp() {
  let nowMs = 0;
  const known = {
    isKnownNetwork: (name: string, network: string) => Promise.resolve(name === 'anna' && network === KNOWN),
  };
  return { limits: new SignInLimits(known, () => nowMs), wait: (seconds: number) => (nowMs += seconds * 1000) };
}

/** The nth address of a large botnet. */
const elsewhere = (n: number): string => `10.${n >> 8}.${n & 255}.1`;

describe('SignInLimits', () => {
  it('lets a known network in after 10,000 failed attempts from elsewhere, and refuses unknown networks until the pause ends', async () => {
    const { limits, wait } = setUp();
    let compared = 0;
    for (let n = 0; n < 10_000; n += 1) if ((await limits.note(elsewhere(n), 'anna')) === null) compared += 1;
    expect(compared).toBe(20);
    expect(await limits.note('203.0.113.77', 'anna')).toBeNull();
    wait(10 * 60);
    expect(await limits.note('198.51.100.1', 'anna')).toEqual({ retrySeconds: 300, isPaused: true });
    // Another spelling of the name counts as the same name, and other names are not paused.
    expect(await limits.note('198.51.100.2', 'ANNA')).toMatchObject({ isPaused: true });
    expect(await limits.note('198.51.100.3', 'bert')).toBeNull();
    wait(5 * 60);
    expect(await limits.note('198.51.100.1', 'anna')).toBeNull();
  });

  it('lets a known network in when its tables of networks and names overflow', async () => {
    const { limits } = setUp();
    for (let n = 0; n < 50_100; n += 1) await limits.note(elsewhere(n), `name-${n}`);
    expect(await limits.note('198.51.100.1', 'anna')).not.toBeNull();
    expect(await limits.note('203.0.113.77', 'anna')).toBeNull();
  });

  it('refuses attempts for one name from one subnet after ten failures in a minute, even from a known network', async () => {
    const { limits, wait } = setUp();
    for (let n = 0; n < 10; n += 1) expect(await limits.note(`203.0.113.${n}`, 'anna')).toBeNull();
    expect(await limits.note('203.0.113.99', 'anna')).toEqual({ retrySeconds: 60, isPaused: false });
    wait(60);
    expect(await limits.note('203.0.113.99', 'anna')).toBeNull();
  });

  it('does not count successful attempts', async () => {
    const { limits } = setUp();
    for (let n = 0; n < 100; n += 1) {
      expect(await limits.note('198.51.100.1', 'anna')).toBeNull();
      limits.forgive('198.51.100.1', 'anna');
    }
  });

  it('refuses a network after 30 failed attempts in a minute, whatever names it tries', async () => {
    const { limits } = setUp();
    for (let n = 0; n < 30; n += 1) expect(await limits.note('198.51.100.1', `name-${n}`)).toBeNull();
    expect(await limits.note('198.51.100.1', 'bert')).toEqual({ retrySeconds: 60, isPaused: false });
    expect(limits.noteNetwork('198.51.100.1')).toBe(60);
  });
});
