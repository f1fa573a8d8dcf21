import 'reflect-metadata';
import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { parseConfig } from '../../../apps/console/src/config';
import { ConsoleModule } from '../../../apps/console/src/console.module';
import { addExportedPlacement } from '../../support/exports/placements';
import { FakeWorker } from '../ops/fake-worker';
import { CONSOLE_SECRET, SECRETS_KEY } from './console-under-test';
import { type GatewaysOnPages, startWithGateways } from './gateways-on-pages';

/**
 * GET routes that are not pages, that only visitors without a session see, or that only redirect from an earlier
 * address.
 */
const NO_PAGES = /^\/(?:health|metrics|live|style|language|sign-in|audit\.csv|leads)/;
/** A limit for the crawl, because lists lead to many pages of one kind. The crawl still sees each kind of page. */
const MOST_PAGES = 300;

/** The patterns of the page paths, such as `/runs/:id`. */
function pagePatterns(): string[] {
  const config = parseConfig({ DATABASE_URL: 'postgres://x.example/x', SECRETS_KEY, CONSOLE_SECRET });
  const module = ConsoleModule.forRoot({ config, log: {} as never, clock: () => new Date(0), declared: [] });
  const pathsOf = (target: object): string[] => [Reflect.getMetadata(PATH_METADATA, target) ?? ''].flat() as string[];
  return ((module.controllers ?? []) as Type<object>[]).flatMap((controller) =>
    Object.values(Object.getOwnPropertyDescriptors(controller.prototype)).flatMap(({ value }: { value?: unknown }) => {
      if (typeof value !== 'function' || Reflect.getMetadata(METHOD_METADATA, value) !== RequestMethod.GET) return [];
      return pathsOf(controller).flatMap((prefix) =>
        pathsOf(value).map(
          (path) =>
            `/${[prefix, path]
              .flatMap((part) => part.split('/'))
              .filter(Boolean)
              .join('/')}`,
        ),
      );
    }),
  );
}

// Real: the console over HTTP, PostgreSQL with the operating role. Fake: the ingestor.
describe('console pages', () => {
  let pages: GatewaysOnPages;
  beforeAll(async () => {
    pages = await startWithGateways();
    // Only a gateway with an earlier list leads to the page that goes back to it.
    const earlier = await pages.add('earlier');
    // Only a gateway with a placement leads to its export.
    await addExportedPlacement(pages.console.db, earlier);
    // Only an action on several gateways has a page of progress.
    const ids = [earlier, await pages.add('other')].join();
    await pages.operator.post('/gateways/act', { act: 'ingest', ids }, '/');
    for (const listings of [['A', 'B'], ['A']]) await new FakeWorker(pages.console.db).run(earlier, { listings });
  });
  afterAll(() => pages.console.close());

  it("are all reachable from the menu, with the common layout and in the operator's language", async () => {
    const admin = await pages.console.signedIn('admin');
    await admin.get('/language?code=fr&to=%2F');
    const expected = pagePatterns().filter((pattern) => !NO_PAGES.test(pattern));
    const missed = new Map(expected.map((pattern) => [pattern, new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`)]));
    const known = new Set(['/']);
    const incomplete: string[] = [];
    for (const path of known) {
      const { status, headers, text } = await admin.get(path);
      const [bare = ''] = path.split('?');
      // Prefer a literal pattern, because `/gateways/new` is not a gateway.
      const route = [...missed].find(
        ([pattern, matcher]) => pattern === bare || (matcher.test(bare) && !expected.includes(bare)),
      );
      if (route !== undefined) missed.delete(route[0]);
      if (status !== 200 || !String(headers['content-type']).startsWith('text/html')) continue;
      const parts = [
        '<html lang="fr">',
        'class="skip"',
        '<nav aria-label="',
        'action="/sign-out"',
        '<main id="content"',
      ];
      if (!parts.every((part) => text.includes(part))) incomplete.push(path);
      for (const [, href = ''] of text.matchAll(/<(?:a [^>]*href|form [^>]*method="get" action)="(\/[^"#]*)/g)) {
        const target = href.replaceAll('&amp;', '&');
        if (known.size < MOST_PAGES && !NO_PAGES.test(target)) known.add(target);
      }
    }
    expect(expected.length).toBeGreaterThan(15);
    expect({ unreachable: [...missed.keys()], incomplete }).toEqual({ unreachable: [], incomplete: [] });
  });
});
