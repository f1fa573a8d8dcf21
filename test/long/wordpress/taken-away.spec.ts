import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  type SeededGateway,
  someListings,
  startApi,
} from '../../medium/api/api-under-test';
import { startMailServer } from '../../support/mail-server';
import { untilServed } from '../../support/until-served';
import { describeWordPress } from '../../wordpress/support/programs';
import { createSite, type Site } from '../../wordpress/support/site';
import { Visitors } from '../../wordpress/support/visitors';

// Real: WordPress, MariaDB, PHP, the plugin, the API. Fake: the ingestor.
describeWordPress('removing a gateway', () => {
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

  /** Removes the gateway like the button on the plugin's page. @returns whether it is removed, and the message */
  const takeAway = (before = ''): Promise<[boolean, string]> =>
    site.php(`${before}
      $_POST = ['name' => 'kyero/${gateway.client}', 'listings' => '1'];
      return Closure::bind(function () { return self::forget(); }, null, 'Passerelle\\WordPress\\Admin')();`);

  /** The time limit of a hoster that allows PHP 8 seconds. The plugin then stops after 5 seconds instead of 20. */
  const SHORT = `ini_set('max_execution_time', '8');`;

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

  /** Starts a slice that takes half a second per listing, and waits for its first listings. */
  async function slowSlice(): Promise<{ ended: Promise<unknown> }> {
    const slice = site.startPhp(`
      add_action('save_post', function () { usleep(500000); });
      return Passerelle\\WordPress\\Sync::slice(30, true);`);
    const ended = once(slice, 'exit');
    while ((await count('posts')) < 3) await sleep(20);
    return { ended };
  }

  it('deletes all its listings, also while a slice runs and visitors read', async () => {
    const mail = await startMailServer();
    await site.mailThrough(mail.port);
    await site.serve();
    const visitors = await Visitors.enter(site, mail);
    const { ended } = await slowSlice();
    expect(await takeAway()).toEqual([true, 'The gateway was removed.']);
    await ended;
    expect(await counts()).toEqual([0, 0, 0]);
    expect(await visitors.leave()).toEqual({ failed: [], lost: [], toldTwice: [] });
    await mail.stop();
  });

  it("deletes the post of a slice that was killed before it wrote the post's row", async () => {
    const killed = site.startPhp(`
      add_filter('query', function ($sql) { if (strpos($sql, 'UPDATE \`wp_passerelle\` SET \`post_id\`') === 0) posix_kill(getmypid(), SIGKILL); return $sql; });
      return Passerelle\\WordPress\\Sync::slice(20, true);`);
    await once(killed, 'exit');
    expect(await count('posts')).toBe(1);
    await takeAway();
    expect(await counts()).toEqual([0, 0, 0]);
  });

  it('reports how many listings are left when the time was too short, and deletes the rest on the next request', async () => {
    await site.slice();
    const [isGood, message] = await takeAway(
      `${SHORT} add_action('before_delete_post', function () { usleep(900000); });`,
    );
    const left = await count('rows');
    expect(left).toBeGreaterThan(0);
    expect([isGood, message]).toEqual([false, `${String(left)} listings are still here: please try again.`]);
    expect(await takeAway()).toEqual([true, 'The gateway was removed.']);
    expect(await counts()).toEqual([0, 0, 0]);
  });

  it('reports a run that does not end, and deletes nothing meanwhile', async () => {
    await site.slice();
    // The lock is never released, because another connection of the same process holds it.
    const [isGood, message] = await site.php<[boolean, string]>(`
      ${SHORT}
      $other = new wpdb(DB_USER, DB_PASSWORD, DB_NAME, DB_HOST);
      $other->get_var("SELECT GET_LOCK('passerelle_" . md5(DB_NAME . '/wp_') . "', 0)");
      $_POST = ['name' => 'kyero/${gateway.client}', 'listings' => '1'];
      return Closure::bind(function () { return self::forget(); }, null, 'Passerelle\\WordPress\\Admin')();`);
    expect([isGood, message]).toEqual([false, expect.stringContaining('60 listings are still here')]);
    expect((await counts()).slice(0, 2)).toEqual([60, 60]);
  });

  it('leaves nothing behind when the owner also deletes the plugin', async () => {
    const photos = [{ url: `${api.url}/none.jpg`, empreinte: 'abcdabcdabcdabcd' }];
    await publishListings(api.database, gateway.id, someListings(3, { photos }));
    await untilServed(api.testDatabase, gateway, [api.url]);
    await site.slice();
    const left = await site.php(`
      global $wpdb;
      // What years leave behind: a post that the table does not know, a photo without its listing, notices, plans, folders.
      $stray = wp_insert_post(['post_type' => 'passerelle_bien', 'post_title' => 'stray', 'post_status' => 'publish', 'guid' => 'https://passerelle.invalid/x']);
      wp_insert_attachment(['post_title' => 'photo', 'post_content_filtered' => 'passerelle:aaaa', 'post_mime_type' => 'image/jpeg'], false, 999999);
      wp_insert_post(['post_type' => 'post', 'post_title' => 'of the owner', 'post_status' => 'publish']);
      foreach (['notice_1', 'form_1', 'feed_x'] as $name) set_transient("passerelle_$name", 'x', 99);
      update_option('passerelle_state_of_a_gateway_of_before', 'x');
      update_user_meta(1, 'edit_passerelle_bien_per_page', 5);
      wp_schedule_single_event(time() + 9999, 'passerelle_slice_more', ['x']);
      wp_mkdir_p(WP_CONTENT_DIR . '/uploads/passerelle/a/b'); file_put_contents(WP_CONTENT_DIR . '/uploads/passerelle/a/b/x.part', 'x');
      require_once ABSPATH . 'wp-admin/includes/plugin.php';
      deactivate_plugins('passerelle/passerelle.php', true);
      define('WP_UNINSTALL_PLUGIN', true);
      require WP_PLUGIN_DIR . '/passerelle/uninstall.php';
      wp_cache_flush();
      $left = [
        'posts' => $wpdb->get_col("SELECT post_title FROM wp_posts WHERE post_type IN ('passerelle_bien', 'attachment') OR post_title = 'of the owner'"),
        'options' => $wpdb->get_col("SELECT option_name FROM wp_options WHERE option_name LIKE '%passerelle%' OR option_value LIKE '%passerelle%'"),
        'meta' => $wpdb->get_col("SELECT meta_key FROM wp_postmeta WHERE meta_key LIKE '%passerelle%' UNION SELECT meta_key FROM wp_usermeta WHERE meta_key LIKE '%passerelle%'"),
        'tables' => $wpdb->get_col("SHOW TABLES LIKE '%passerelle%'"),
        'folder' => is_dir(WP_CONTENT_DIR . '/uploads/passerelle'),
      ];
      Passerelle\\WordPress\\Table::prepare();
      return $left;`);
    expect(left).toEqual({ posts: ['of the owner'], options: [], meta: [], tables: [], folder: false });
  });
});
