import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { addGateway, type ApiUnderTest, type SeededGateway, startApi } from '../../medium/api/api-under-test';
import { type IngestorUnderTest, startIngestor } from '../../medium/ops-port/ingestor-under-test';
import { Browser, BROWSER } from '../../support/browser';
import { aKyeroFeed, aProperty } from '../../support/kyero-feed';
import { type MisbehavingProxy, type Mischief, startMisbehavingProxy } from '../../support/misbehaving-proxy';
import { until } from '../../support/waiting';
import { missingForFpm, serveByFpm } from '../../wordpress/support/fpm';
import { describeWordPress } from '../../wordpress/support/programs';
import { createSite, type Site } from '../../wordpress/support/site';

const SECRETS_KEY = 'the-key-of-the-webhooks-of-a-site-by-fpm';
const missing = [...missingForFpm(), ...(BROWSER === null ? ['chromium'] : [])];

// Real: WordPress in PHP-FPM behind a web server, without cron, MariaDB, the plugin, a browser, the API, the ingestor,
// PostgreSQL. Fake: the CRM, and a proxy in front of the API.
describeWordPress('a WordPress site under PHP-FPM', () => {
  const check = missing.length === 0 ? it : it.skip;
  const title = (text: string): string =>
    missing.length === 0 ? text : `${text} (missing here: ${missing.join(', ')})`;
  let ingestor: IngestorUnderTest;
  let api: ApiUnderTest;
  let proxy: MisbehavingProxy;
  let gateway: SeededGateway;
  let site: Site;
  let end: (() => Promise<void>) | undefined;
  let browser: Browser | undefined;

  beforeAll(async () => {
    if (missing.length > 0) return;
    site = await createSite();
    const settings = { secretsKey: SECRETS_KEY, allowPrivateSources: new Set([new URL(site.url).host]) };
    ingestor = await startIngestor(settings, async ({ database, query }) => {
      gateway = await addGateway(database, {
        listings: [{ affId: 'sold', intitule: 'Vendue', ville: 'Ancienneville' }],
      });
      await query(`UPDATE gateway_schedule SET next_run_at = now() + interval '1 hour'`);
    });
    settings.allowPrivateSources.add(ingestor.crm.hostAndPort);
    await ingestor.testDatabase.query('UPDATE gateway SET source_url = $1', [ingestor.crm.url]);
    api = await startApi({ ...settings, databaseUrl: ingestor.testDatabase.urlOf('serve') });
    proxy = await startMisbehavingProxy(api.url);
    end = await serveByFpm(site);
    await site.connect({ ...gateway, base: proxy.url }, { photos: 'link' });
    await site.slice();
    await site.php(`Passerelle\\WordPress\\Webhook::keepAll(true); return 1;`);
    browser = await Browser.launch();
  });
  afterAll(async () => {
    if (missing.length > 0) return;
    await browser?.close();
    await end?.();
    await proxy.close();
    await Promise.all([api.close(), ingestor.close(), site.close()]);
  });

  check(title('answers a webhook immediately, and requests the list after the answer'), async () => {
    const secret = await site.php<string>(`return Passerelle\\WordPress\\Webhook::secret('kyero/${gateway.client}');`);
    const asked: string[] = [];
    let answered = false;
    let wasAnswered: boolean | undefined;
    proxy.mischief = async ({ path }): Promise<Mischief> => {
      asked.push(path);
      // The webhook does not wait for the slice: the site answers the webhook before it gets the list.
      for (let turn = 0; turn < 600 && !answered; turn += 1) await sleep(25);
      wasAnswered ??= answered;
      return 'pass';
    };
    const body = JSON.stringify({ type: 'list.published', timestamp: '', data: { snapshot: '' } });
    const at = new Date();
    const headers = {
      ...{ 'webhook-id': 'msg_fpm', 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)) },
      ...{ 'webhook-signature': new Webhook(secret).sign('msg_fpm', at, body), 'content-type': 'application/json' },
    };
    const mark = createHash('md5').update(`kyero/${gateway.client}`).digest('hex');
    const answer = await fetch(`${site.url}/?rest_route=/passerelle/v1/webhook/${mark}`, {
      method: 'POST',
      headers,
      body,
    });
    await answer.arrayBuffer();
    answered = true;
    expect(answer.status).toBe(200);
    await until(() => Promise.resolve(asked.includes('/v1/manifest') && wasAnswered !== undefined));
    expect(wasAnswered).toBe(true);
    proxy.mischief = () => 'pass';
  });

  check(title('shows new listings and no sold listings in a browser, without cron'), async () => {
    const size = { width: 1280, height: 900 };
    const shown = async (): Promise<string> => {
      const page = await browser!.open(`${site.url}/annonces/`, size);
      return (await page.evaluate('document.body.innerText')) as string;
    };
    expect(await shown()).toContain('Ancienneville');
    ingestor.crm.answer = { body: aKyeroFeed([aProperty('1', { town: 'Nouvelleville' })]) };
    await ingestor.database.runRequests.request({ gatewayId: gateway.id, trigger: 'ops', forced: true });
    const seen = async (): Promise<boolean[]> => {
      const text = await shown();
      return ['Nouvelleville', 'Ancienneville'].map((town) => text.includes(town));
    };
    // For a moment, a page may show the new listing and the sold listing together.
    await until(async () => (await seen()).join() === 'true,false');
  });
});
