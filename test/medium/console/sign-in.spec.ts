import { type ConsoleUnderTest, PASSWORD, startConsole, tokenOf } from './console-under-test';

// Real: the console over HTTP, PostgreSQL, sessions. Fake: the clock, the networks of the visitors.
describe('console sign-in', () => {
  const FROM = 'x-forwarded-for';
  let console: ConsoleUnderTest;
  beforeAll(async () => {
    console = await startConsole({ TRUST_PROXY: '127.0.0.1' });
    await console.signedIn('admin');
  });
  afterAll(() => console.close());

  /** Returns a function that tries to sign in, with one browser and from the given address. */
  async function attempts(language: 'en' | 'fr' = 'en') {
    const browser = console.visitor();
    if (language === 'fr') await browser.get('/language?code=fr');
    const token = tokenOf((await browser.get('/sign-in')).text);
    return (address: string, name: string, password: string) =>
      browser.send('/sign-in', { _csrf: token, name, password }, { [FROM]: address });
  }

  it('refuses a network after ten failed attempts per minute, and logs attempts without the password', async () => {
    const attempt = await attempts();
    // On a slow machine, a minute may pass before the tenth attempt.
    const statuses: number[] = [];
    while (!statuses.includes(429) && statuses.length < 25) {
      statuses.push((await attempt('198.51.100.7', 'nobody', 'hunter2hunter2')).status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(10);
    expect(console.lines.filter(({ operator }) => operator === 'nobody')).toHaveLength(statuses.length);
    expect(JSON.stringify(console.lines)).not.toContain('hunter2');
  });

  it('counts only failed attempts', async () => {
    for (let times = 0; times < 12; times += 1) {
      const attempt = await attempts();
      expect((await attempt('203.0.113.9', 'admin', PASSWORD)).location).toBe('/');
    }
    expect(JSON.stringify(console.lines)).not.toContain(PASSWORD);
    expect(console.lines.some(({ operator, msg }) => operator === 'admin' && msg === 'an operator has signed in')).toBe(
      true,
    );
  });

  it("blocks a name under attack for unknown networks, in the visitor's language, and admits a known network", async () => {
    await (
      await attempts()
    )('2001:db8:1:2::3', 'admin', PASSWORD);
    const attempt = await attempts();
    for (let network = 1; network <= 21; network += 1) await attempt(`10.9.${network}.1`, 'admin', 'a wrong password');
    const refused = await attempt('192.0.2.44', 'admin', PASSWORD);
    expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('new networks are blocked')]);
    const inFrench = await (await attempts('fr'))('192.0.2.44', 'admin', PASSWORD);
    expect(inFrench.text).toContain('il est suspendu pour les nouveaux réseaux');
    // This address is in the same /64 network as the first address.
    const known = await attempt('2001:db8:1:2:ffff::9', 'admin', PASSWORD);
    expect([known.status, known.location]).toEqual([303, '/']);
  });

  it('remembers the newest 20 networks of an operator', async () => {
    const { signIns } = console.db.database;
    for (let network = 1; network <= 21; network += 1) await signIns.note('admin', `172.16.${network}.0/24`);
    const [counted] = await console.db.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM operator_network WHERE operator = 'admin'`,
    );
    expect(counted?.count).toBe(20);
    const known = ['172.16.1.0/24', '172.16.2.0/24', '172.16.21.0/24'].map((network) =>
      signIns.isKnownNetwork('admin', network),
    );
    expect(await Promise.all(known)).toEqual([false, true, true]);
  });
});

describe('console cookie', () => {
  it("is restricted to TLS and this host, and hidden from scripts, when the console's address has https", async () => {
    const console = await startConsole({ CONSOLE_URL: 'https://console.example.org' });
    try {
      const { headers } = await console.visitor().get('/sign-in');
      expect(String(headers['set-cookie'])).toMatch(
        /^__Host-passerelle=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/i,
      );
      expect(headers['strict-transport-security']).toBe('max-age=31536000');
    } finally {
      await console.close();
    }
  });
});
