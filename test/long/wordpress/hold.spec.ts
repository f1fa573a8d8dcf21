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
import { untilServed } from '../../support/until-served';
import { describeWordPress } from '../../wordpress/support/programs';
import { createSite, type Site, type Slice, sliceCode } from '../../wordpress/support/site';
import { Visitors } from '../../wordpress/support/visitors';

const EXPIRED: Mischief = { status: 400, body: '{"status":"error","detail":{"reason":"expired"}}' };
const OLD = someListings(12);
const OTHERS = OLD.map(({ intitule }, at) => ({ affId: `other-${String(at)}`, intitule }));

// Real: WordPress, MariaDB, PHP, the plugin, the API, PostgreSQL. Fake: the ingestor, and a proxy that reports an
// expired list of changes.
describeWordPress('a removal of many listings that the API does not explain', () => {
  let api: ApiUnderTest;
  let proxy: MisbehavingProxy;
  let gateway: SeededGateway;
  let site: Site;
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
    gateway = await addGateway(api.database, { listings: OLD });
    proxy.mischief = ({ path }) => (path === '/v1/changes' ? EXPIRED : 'pass');
    await site.empty();
    await site.connect({ ...gateway, base: proxy.url });
    await site.slice();
    visitors = await Visitors.enter(site, mail);
  });
  afterEach(async () => {
    expect(await visitors.leave()).toEqual({ failed: [], lost: [], toldTwice: [] });
  });

  async function publish(list: readonly TestListing[]): Promise<void> {
    await publishListings(api.database, gateway.id, list);
    await untilServed(api.testDatabase, gateway, [api.url]);
  }

  const live = async (): Promise<string[]> =>
    (await site.shown()).filter(({ status }) => status === 'publish').map(({ affId }) => affId);
  const idsOf = (...lists: TestListing[][]): string[] =>
    lists
      .flat()
      .map(({ affId }) => affId)
      .sort();

  /** Approves the removal, like the button on the plugin's page. */
  const approve = (): Promise<unknown> =>
    site.php(`
      $state = Passerelle\\WordPress\\Settings::state('kyero/${gateway.client}');
      Passerelle\\WordPress\\Settings::saveState('kyero/${gateway.client}', ['approved' => $state['held']['snapshot']] + $state);`);

  it('waits for the owner through any number of slices, also when as many new listings replace the removed listings', async () => {
    await publish(OTHERS);
    for (let slices = 0; slices < 3; slices += 1) {
      expect(await site.slice()).toMatchObject({ state: 'held', added: 0, removed: 0 });
      expect(await live()).toEqual(idsOf(OLD));
    }
    await approve();
    expect(await site.slice()).toMatchObject({ state: 'done', added: 12, removed: 12 });
    expect(await live()).toEqual(idsOf(OTHERS));
  });

  it('also waits when each slice has time for only a few listings', async () => {
    await publish([
      ...OTHERS,
      ...someListings(60)
        .slice(12)
        .map(({ affId }) => ({ affId: `more-${affId}`, intitule: affId })),
    ]);
    const slow = `add_action('save_post', function () { usleep(100000); }); ${sliceCode(2)}`;
    for (let slices = 0; slices < 4; slices += 1) await site.php(slow);
    expect(await live()).toEqual(idsOf(OLD));
  });

  it.each([false, true])(
    'waits when the API lists more than 5 removals and more than 20 %% of the listings, unless the API reports an approval: %s',
    async (isApproved) => {
      proxy.mischief = async ({ path, query, headers }) => {
        if (path !== '/v1/changes' || !isApproved) return 'pass';
        const honest = await fetch(`${api.url}${path}?${query.toString()}`, {
          headers: { key: String(headers['key']) },
        });
        const { data, ...rest } = (await honest.json()) as { data: object[] };
        return {
          status: 200,
          body: JSON.stringify({ ...rest, data: data.map((one) => ({ ...one, approved: true })) }),
        };
      };
      await publish(OLD.slice(6));
      expect(await site.slice()).toMatchObject(
        isApproved ? { state: 'done', removed: 6 } : { state: 'held', removed: 0 },
      );
      expect(await live()).toEqual(idsOf(isApproved ? OLD.slice(6) : OLD));
    },
  );

  it('also waits after the gateway was disconnected and connected again', async () => {
    await publish(OTHERS);
    await site.php(`Passerelle\\WordPress\\Settings::forgetState('kyero/${gateway.client}'); return 1;`);
    for (let slices = 0; slices < 2; slices += 1)
      expect(await site.slice()).toMatchObject({ state: 'held', removed: 0 });
    expect(await live()).toEqual(idsOf(OLD));
  });

  it('disappears when the list contains the removed listings again', async () => {
    await publish(OTHERS);
    await site.slice();
    await publish(OLD);
    expect(await site.slice()).toMatchObject({ state: 'done', added: 0, removed: 0 });
    expect(await live()).toEqual(idsOf(OLD));
    const { held } = await site.php<{ held: unknown }>(
      `return Passerelle\\WordPress\\Settings::state('kyero/${gateway.client}');`,
    );
    expect(held).toBeNull();
  });

  it('does not block updates of the shown listings while it waits', async () => {
    await publish([{ ...OLD[0]!, intitule: 'Un autre titre' }, ...OTHERS]);
    expect(await site.slice()).toMatchObject({ state: 'held', updated: 1, added: 0, removed: 0 });
    expect((await site.shown()).find(({ affId }) => affId === OLD[0]!.affId)).toMatchObject({
      title: 'Un autre titre',
    });
  });

  it('can be approved while a slice runs', async () => {
    await publish(OTHERS);
    await site.slice();
    const slices = await site.php<Record<string, Slice>>(`
      add_filter('query', function ($sql) {
        static $isSaid = false;
        if (!$isSaid && strpos($sql, 'gone_at IS NOT NULL') !== false) {
          $isSaid = true;
          // Another process, past the caches of this one.
          $name = 'passerelle_state_' . md5('kyero/${gateway.client}');
          $state = maybe_unserialize($GLOBALS['wpdb']->get_var("SELECT option_value FROM wp_options WHERE option_name = '$name'"));
          $GLOBALS['wpdb']->update('wp_options', ['option_value' => serialize(['approved' => $state['held']['snapshot']] + $state)], ['option_name' => $name]);
        }
        return $sql;
      });
      ${sliceCode()}`);
    expect(Object.values(slices)).toMatchObject([{ state: 'held' }]);
    expect(await site.slice()).toMatchObject({ state: 'done', added: 12, removed: 12 });
  });
});
