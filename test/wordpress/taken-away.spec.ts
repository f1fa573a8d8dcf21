import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  addGateway,
  type ApiUnderTest,
  type SeededGateway,
  someListings,
  startApi,
} from '../medium/api/api-under-test';
import { describeWordPress } from './support/programs';
import { createSite, type Site } from './support/site';

// Real: WordPress, MariaDB, PHP, the plugin, the API. Fake: the ingestor.
describeWordPress('a gateway that is taken away', () => {
  let api: ApiUnderTest;
  let gateway: SeededGateway;
  let site: Site;

  beforeAll(async () => {
    [api, site] = await Promise.all([startApi(), createSite()]);
  });
  afterAll(async () => {
    await Promise.all([api.close(), site.close()]);
  });
  beforeEach(async () => {
    await site.empty();
    gateway = await addGateway(api.database, { listings: someListings(60) });
    await site.connect({ ...gateway, base: api.url });
  });

  /** What the button of the page does. @returns whether it went well, and what it tells */
  const takeAway = (before = ''): Promise<[boolean, string]> =>
    site.php(`${before}
      $_POST = ['name' => 'kyero/${gateway.client}', 'listings' => '1'];
      return Closure::bind(function () { return self::forget(); }, null, 'Passerelle\\WordPress\\Admin')();`);

  const count = (of: 'rows' | 'posts' | 'states'): Promise<number> =>
    site.php<number>(
      `global $wpdb; return (int) $wpdb->get_var("${
        {
          rows: 'SELECT count(*) FROM wp_passerelle',
          posts: "SELECT count(*) FROM wp_posts WHERE post_type = 'passerelle_bien'",
          states: "SELECT count(*) FROM wp_options WHERE option_name LIKE 'passerelle\\\\_state\\\\_%'",
        }[of]
      }");`,
    );
  const counts = async (): Promise<number[]> => [await count('rows'), await count('posts'), await count('states')];

  /** A slice that takes half a second for each listing, as soon as it has written some. */
  async function slowSlice(): Promise<{ ended: Promise<unknown> }> {
    const slice = site.startPhp(`
      add_action('save_post', function () { usleep(500000); });
      return Passerelle\\WordPress\\Sync::slice(30, true);`);
    const ended = once(slice, 'exit');
    while ((await count('posts')) < 3) await sleep(20);
    return { ended };
  }

  it('takes all its listings along, also while a slice is at work', async () => {
    const { ended } = await slowSlice();
    expect(await takeAway()).toEqual([true, 'The gateway was taken away.']);
    await ended;
    expect(await counts()).toEqual([0, 0, 0]);
  });

  it('takes the post along that a slice had made when it was killed, and no row knew', async () => {
    const killed = site.startPhp(`
      add_filter('query', function ($sql) { if (strpos($sql, 'UPDATE \`wp_passerelle\` SET \`post_id\`') === 0) posix_kill(getmypid(), SIGKILL); return $sql; });
      return Passerelle\\WordPress\\Sync::slice(20, true);`);
    await once(killed, 'exit');
    expect(await count('posts')).toBe(1);
    await takeAway();
    expect(await counts()).toEqual([0, 0, 0]);
  });

  it('says how many listings are left when there was not time enough, and takes them away when asked once more', async () => {
    await site.slice();
    const [isGood, message] = await takeAway(`add_action('before_delete_post', function () { usleep(900000); });`);
    const left = await count('rows');
    expect(left).toBeGreaterThan(0);
    expect([isGood, message]).toEqual([false, `${String(left)} listings are still here: once more, please.`]);
    expect(await takeAway()).toEqual([true, 'The gateway was taken away.']);
    expect(await counts()).toEqual([0, 0, 0]);
  });

  it('says so when a run does not end, and has deleted nothing behind its back', async () => {
    await site.slice();
    // A lock that nobody gives back: another connection of the same process holds it.
    const [isGood, message] = await site.php<[boolean, string]>(`
      $other = new wpdb(DB_USER, DB_PASSWORD, DB_NAME, DB_HOST);
      $other->get_var("SELECT GET_LOCK('passerelle_" . md5(DB_NAME . '/wp_') . "', 0)");
      $_POST = ['name' => 'kyero/${gateway.client}', 'listings' => '1'];
      return Closure::bind(function () { return self::forget(); }, null, 'Passerelle\\WordPress\\Admin')();`);
    expect([isGood, message]).toEqual([false, expect.stringContaining('60 listings are still here')]);
    expect((await counts()).slice(0, 2)).toEqual([60, 60]);
  });
});
