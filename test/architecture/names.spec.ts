import { readdirSync } from 'node:fs';
import { readFromRoot } from './read-from-root';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:class|interface|type|enum|const|let|function\*?) ([A-Za-z_$][\w$]*)/gm;
/** A connector, and a dialect of several files that two of them share. */
const SOURCE = /^libs\/connectors\/src\/(?:sources|formats)\/[^/]+\//;
/** What a connector is written with. */
const FOR_SOURCES = /^libs\/(domain\/|connectors\/src\/(kit\/|formats\/[^/]+$))/;

/** Parts that each app has, one of its own; no app sees another. */
const ONE_IN_EACH_APP = [
  ...['CONFIG', 'LOGGER', 'MEDIA', 'TRACES', 'METRICS_CONTENT_TYPE', 'Clock', 'Column'],
  'GatewayName',
  ...['HealthController', 'Metrics', 'MetricsController', 'createApp', 'parseConfig'],
];
const FORMS = 'reads a field of a form in the console, and a value of a record in the kit';
const KINDS = 'a kind of setting in libs/settings, and a verb or a value of a mapping in the kit';
/** Names that two things have all the same, and why that misleads nobody. */
const LISTED: Readonly<Record<string, string>> = {
  Offer: "what a connector's own `readOffer` answers, and the kit's for those that need no own",
  flag: KINDS,
  integer: KINDS,
  listOf: KINDS,
  oneOf: KINDS,
  textOf: FORMS,
};

interface Declaration {
  name: string;
  path: string;
}

const declarations: Declaration[] = ['apps', 'libs']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((path) => path.endsWith('.ts') && !/\.spec\.ts$|\/(testing|__fixtures__)\//.test(path))
  .flatMap((path) => {
    const names = new Set(Array.from(readFromRoot(path).matchAll(DECLARED), ([, name = '']) => name));
    return [...names].map((name) => ({ name, path }));
  });

/** Names with the files that declare them, where they are more than one. */
function twice(seen: readonly Declaration[]): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const { name, path } of seen) files.set(name, [...(files.get(name) ?? []), path]);
  return new Map([...files].filter(([, paths]) => paths.length > 1));
}

/** The connectors answer the same questions, and do so under the same names: each is held against what it can import. */
function doubles(): Map<string, string[]> {
  const folders = new Set(declarations.flatMap(({ path }) => SOURCE.exec(path)?.[0] ?? []));
  const rooms = [
    declarations.filter(({ path }) => !SOURCE.test(path)),
    ...Array.from(folders, (folder) =>
      declarations.filter(({ path }) => path.startsWith(folder) || FOR_SOURCES.test(path)),
    ),
  ];
  return new Map(rooms.flatMap((room) => [...twice(room)]));
}

function isOneInEachApp(name: string, paths: readonly string[]): boolean {
  const apps = paths.map((path) => /^apps\/[^/]+/.exec(path)?.[0]);
  return ONE_IN_EACH_APP.includes(name) && !apps.includes(undefined) && new Set(apps).size === apps.length;
}

describe('names that are exported', () => {
  it('are of one thing each, or stand here with the reason', () => {
    const unknown = [...doubles()].filter(([name, paths]) => !isOneInEachApp(name, paths) && !(name in LISTED));
    expect(Object.fromEntries(unknown)).toEqual({});
  });

  it('stand here only as long as they are of two', () => {
    const double = doubles();
    expect([...ONE_IN_EACH_APP, ...Object.keys(LISTED)].filter((name) => !double.has(name))).toEqual([]);
  });
});
