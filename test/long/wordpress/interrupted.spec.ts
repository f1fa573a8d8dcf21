import { once } from 'node:events';
import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  type SeededGateway,
  someListings,
  startApi,
  type TestListing,
} from '../../medium/api/api-under-test';
import { type MisbehavingProxy, type Mischief, startMisbehavingProxy } from '../../support/misbehaving-proxy';
import { type MailServer, startMailServer } from '../../support/mail-server';
import { seeded } from '../../support/seeded';
import { untilServed } from '../../support/until-served';
import { describeWordPress } from '../../wordpress/support/programs';
import { createSite, type Site, sliceCode } from '../../wordpress/support/site';
import { Visitors } from '../../wordpress/support/visitors';

/** The number of kills. A thousand publications and two hundred kills take a quarter of an hour. */
const KILLS = Number(process.env['WORDPRESS_KILLS'] ?? 10);
const MOMENTS = Number(process.env['WORDPRESS_MOMENTS'] ?? 15);
const SEED = Number(process.env['WORDPRESS_SEED'] ?? 1);

/** Runs a slice in which the hoster kills PHP before the query of the given number. */
const killAt = (query: number): string => `
  $GLOBALS['left'] = ${query};
  add_filter('query', function ($sql) { if (--$GLOBALS['left'] === 0) posix_kill(getmypid(), SIGKILL); return $sql; });
  ${sliceCode()}`;

// Real: WordPress, MariaDB, PHP, the plugin, visitors of its pages, a mail server, the API, PostgreSQL. Fake: the ingestor.
describeWordPress('the plugin ends with the correct list', () => {
  let api: ApiUnderTest;
  let proxy: MisbehavingProxy;
  let gateway: SeededGateway;
  let site: Site;
  let list: TestListing[];
  let next: (below: number) => number;
  let mail: MailServer;
  let visitors: Visitors;

  beforeAll(async () => {
    [api, site, mail] = await Promise.all([startApi(), createSite(), startMailServer()]);
    proxy = await startMisbehavingProxy(api.url);
    await site.mailThrough(mail.port);
    await site.serve();
  });
  afterAll(async () => {
    await proxy.close();
    await Promise.all([api.close(), site.close(), mail.stop()]);
  });
  beforeEach(async () => {
    proxy.mischief = () => 'pass';
    next = seeded(SEED);
    await site.empty();
    list = someListings(20);
    gateway = await addGateway(api.database, { listings: list });
    await site.connect({ ...gateway, base: proxy.url });
    visitors = await Visitors.enter(site, mail);
  });
  afterEach(async () => {
    expect(await visitors.leave()).toEqual({ failed: [], lost: [], toldTwice: [] });
    expect(visitors.looks).toBeGreaterThan(0);
  });

  /** Publishes a list with a few removed, added and changed listings. */
  async function publishAnother(round: number): Promise<void> {
    list = list.filter(() => next(12) > 0);
    if (next(3) > 0) list = [...list, { affId: `N-${round}`, intitule: `Nouveau ${round}` }];
    list = list.map((one) => (next(8) === 0 ? { ...one, intitule: `Titre de ${round}` } : one));
    if (next(4) === 0)
      list = [
        ...someListings(20)
          .filter(({ affId }) => !list.some((one) => one.affId === affId))
          .slice(0, 2),
        ...list,
      ];
    await publishListings(api.database, gateway.id, list);
    await untilServed(api.testDatabase, gateway, [api.url]);
  }

  async function expectTheList(): Promise<void> {
    for (let slices = 0; slices < 5 && (await site.slice()).state !== 'done'; slices += 1);
    const shown = (await site.shown()).filter(({ status }) => status !== 'draft');
    const titles = (all: { affId: string; title: unknown }[]): unknown =>
      all.map(({ affId, title }) => `${affId}: ${String(title)}`).sort();
    expect(titles(shown)).toEqual(titles(list.map(({ affId, intitule }) => ({ affId, title: intitule }))));
    expect(shown.filter(({ posts, status }) => posts !== 1 || status !== 'publish')).toEqual([]);
    expect(await strays()).toBe(0);
  }

  /** The number of posts that the plugin's table does not contain. */
  function strays(): Promise<number> {
    return site.php<number>(`global $wpdb; return (int) $wpdb->get_var("SELECT count(*) FROM $wpdb->posts p
      LEFT JOIN {$wpdb->prefix}passerelle t ON t.post_id = p.ID WHERE p.post_type = 'passerelle_bien' AND t.post_id IS NULL");`);
  }

  it(`after kills at ${KILLS} points`, async () => {
    let killed = 0;
    for (let round = 0; killed < KILLS; round += 1) {
      const process = site.startPhp(killAt(20 + next(250)));
      const [, signal] = (await once(process, 'exit')) as [number | null, string | null];
      if (signal === 'SIGKILL') killed += 1;
      // The afterEach hook checks that listings that were on the site and are still in the list never disappear.
      if (next(2) === 0 || signal === null) await publishAnother(round);
      if (round % 10 === 9) await expectTheList();
    }
    await expectTheList();
  }, 3_600_000);

  it(`when ${MOMENTS} lists are published during its slices`, async () => {
    let published = 0;
    proxy.mischief = async (): Promise<Mischief> => {
      if (published < MOMENTS && next(3) === 0) await publishAnother((published += 1));
      return 'pass';
    };
    while (published < MOMENTS) {
      await site.php(
        `for ($n = 0; $n < 10; $n++) { $slice = Passerelle\\WordPress\\Sync::slice(20, true); } return $slice;`,
      );
    }
    await expectTheList();
  }, 3_600_000);

  it('when two or three of its slices run at the same time, repeatedly', async () => {
    for (let round = 0; round < 5; round += 1) {
      const slices = await Promise.all([1, 2, 3].slice(0, 2 + (round % 2)).map(() => site.slice()));
      expect(slices.map(({ state }) => state)).toContain('done');
      await publishAnother(round);
    }
    await expectTheList();
  });

  it('when the lock is lost with the connection', async () => {
    await publishAnother(0);
    const slices = await site.php<Record<string, { state: string; added: number }>>(`
      $GLOBALS['wpdb']->suppress_errors();
      add_filter('query', function ($sql) {
        static $n = 0;
        if (strpos($sql, 'INSERT IGNORE') === 0 && ++$n === 3) $GLOBALS['wpdb']->query('KILL ' . mysqli_thread_id($GLOBALS['wpdb']->dbh));
        return $sql;
      });
      ${sliceCode()}`);
    // The slice stops soon after the loss of its lock.
    expect(Object.values(slices)).toEqual([
      expect.objectContaining({ state: expect.stringMatching(/more|failed/) as string }),
    ]);
    await expectTheList();
  });
});
