import type { Connector } from '@passerelle/connectors';
import { runOps } from './run-ops';
import type { Terminal } from './terminal';

const kyero = {
  ...{ code: 'kyero', label: 'Kyero', type: 'xml', notes: 'the URL of the feed', version: 1 },
  fetch: { kind: 'document', request: ({ url }) => ({ url }) },
  credentials: { token: 'the secret' },
  settings: {},
  quota: {
    host: 'feeds.example',
    requestsPerSecond: 2,
    requestsPerDay: 1_000,
    requestsAtOnce: 5,
    account: () => undefined,
  },
} as Partial<Connector> as Connector;

async function ops(...argv: string[]): Promise<{ exitCode: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const io: Terminal = {
    out: (text) => (out += text),
    err: (text) => (err += text),
    ...{ isOutTty: false, isErrTty: false, columns: undefined, user: 'tester' },
    now: () => new Date(),
    confirm: () => Promise.resolve(false),
    readInput: () => Promise.resolve(Buffer.alloc(0)),
    catchInterrupt: () => new AbortController().signal,
  };
  const exitCode = await runOps(argv, { DATA_DIR: '/nowhere' }, io, () => Promise.resolve([kyero]));
  return { exitCode, out, err };
}

const ADD = ['gateway', 'add', '--crm', 'kyero', '--client', 'port', '--source', 'http://crm.example/feed'];

describe('ops with wrong arguments', () => {
  it.each([
    [
      ['gatway'],
      "unknown command 'gatway' (Did you mean gateway?); there are: status, doctor, gateway, pause, resume, pauses, ingest, retry, runs, run, webhook, call-address, notify, placement, publication, rejections, why, operator, backup, restore, rekey, connectors",
    ],
    [
      ['gateway', 'ad'],
      /^unknown command 'ad'.*; there are: add, list, show, set, enable, disable, rotate-key, revoke-key, export-token, snapshots, revert, release, export, import, remove$/,
    ],
    [
      ['runs', '--lmit', '5'],
      /^unknown option '--lmit'.*there are: --crm, --client, --state, --since, --limit, --json, --as, --help$/,
    ],
    [['runs', 'all'], /^too many arguments/],
    [['run', 'show'], "missing required argument 'id'"],
    [['run', 'show', 'x'], 'ID takes a whole number from 1, not "x"'],
    [['run', 'publish', '3'], "required option '--reason <text>' not specified"],
    [['run', 'publish', '3', '--reason', ' '], '--reason needs a text'],
    [['rejections'], "required option '--run <id>' not specified"],
    [['gateway', 'show', '--crm', 'kyero'], "required option '--client <slug>' not specified"],
    [
      ['gateway', 'show', '--crm', 'kyero', '--client', 'a b'],
      '--client takes at most 64 letters, digits, "-" and "_", not "a b"',
    ],
    [['gateway', 'add', '--crm', 'kyero', '--client'], "option '--client <slug>' argument missing"],
    [
      ['gateway', 'add', '--crm', 'nope', '--client', 'a', '--source', 'x'],
      '--crm "nope" is no connector; there are: kyero',
    ],
    [[...ADD, '--every', 'often'], /^--every takes a duration/],
    [[...ADD, '--contract-end', '2026-02-30'], /^--contract-end takes a date that exists/],
    [[...ADD, '--credential', 'password=x'], '--credential does not know "password"; allowed: token'],
    [[...ADD, '--credential', 'token=Bearer x'], '--credential token is one word in ASCII, without "Bearer"'],
    [[...ADD, '--set', 'colour=red'], /^--set does not know "colour"; allowed: max-vanished-share/],
    [[...ADD, '--key', 'short'], /^--key takes 24 to 256/],
    [[...ADD, '--key', '-'], '--key: standard input is empty'],
    [[...ADD, '--key-file', '/nowhere/key'], '--key-file: /nowhere/key cannot be read (ENOENT)'],
    [['ingest'], '--crm is missing: give --crm and --client, or --all'],
    [['ingest', '--crm', 'kyero'], '--client is missing: give --crm and --client, or --all'],
    [['ingest', '--all', '--crm', 'kyero'], '--all excludes --crm and --client'],
    [['ingest', '--all', '--timeout', '5m'], '--timeout goes with --wait'],
    [['runs', '--limit', '0'], '--limit takes a whole number from 1 to 10000, not "0"'],
    [['runs', '--client', 'port'], '--client needs --crm'],
    [['gateway', 'set', '--crm', 'kyero', '--client', 'port'], /^nothing to change: give --source/],
    [['gateway', 'rotate-key', '--crm', 'kyero', '--client', 'port', '--overlap', 'x'], /^--overlap takes a duration/],
  ])('refuses %j', async (argv, message) => {
    const expected: unknown = typeof message === 'string' ? message : expect.stringMatching(message);
    const json = await ops(...argv, '--json');
    expect({ ...json, out: JSON.parse(json.out) as unknown }).toEqual({
      exitCode: 2,
      out: { error: expected },
      err: '',
    });
    const text = await ops(...argv);
    const [line, ...rest] = text.err.split('\n');
    expect({ exitCode: text.exitCode, out: text.out, rest }).toEqual({ exitCode: 2, out: '', rest: [''] });
    expect(line?.replace('error: ', '')).toEqual(expected);
  });

  it('does not repeat a value that may be secret', async () => {
    const source = await ops(
      'gateway',
      'add',
      '--crm',
      'kyero',
      '--client',
      'a',
      '--source',
      'gopher://u:geheim@crm.example',
    );
    const credential = await ops(...ADD, '--credential', 'passwort=geheim');
    const key = await ops(...ADD, '--key', 'geheim!');
    expect([source, credential, key].map(({ exitCode }) => exitCode)).toEqual([2, 2, 2]);
    expect(JSON.stringify([source, credential, key])).not.toContain('geheim');
  });

  it('shows the help on stderr when the command is missing', async () => {
    const { exitCode, out, err } = await ops();
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(err).toContain('Usage: npm run ops -- [options] [command]');
    const json = await ops('gateway', '--json');
    expect({ ...json, out: JSON.parse(json.out) as unknown }).toEqual({
      exitCode: 2,
      out: {
        error:
          'a subcommand is missing; use one of: add, list, show, set, enable, disable, rotate-key, revoke-key, export-token, snapshots, revert, release, export, import, remove',
      },
      err: '',
    });
  });
});

it('ops fails with one sentence when no database can be reached', async () => {
  const error = 'nothing runs in /nowhere: start it with npm start, or set DATABASE_URL';
  expect(await ops('gateway', 'list')).toEqual({ exitCode: 1, out: '', err: `error: ${error}\n` });
  const json = await ops('--json', 'gateway', 'list');
  expect({ ...json, out: JSON.parse(json.out) as unknown }).toEqual({ exitCode: 1, out: { error }, err: '' });
});

it.each([['--help'], ['gateway', '--help'], ['gateway', 'add', '--help'], ['help', 'ingest'], ['why', '-h']])(
  'ops shows the help for %s',
  async (...argv) => {
    const { exitCode, out, err } = await ops(...argv);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    expect(out).toContain('Usage: npm run ops --');
  },
);

it('ops shows an example and the common options in the help of a command', async () => {
  const { out } = await ops('ingest', '--help');
  expect(out).toContain('Example:\n  npm run ops -- ingest --crm kyero --client agence-du-port --wait');
  expect(out).toContain('--json');
});

it('ops lists the connectors without a database', async () => {
  const { exitCode, out } = await ops('connectors', '--json');
  expect(exitCode).toBe(0);
  expect(JSON.parse(out)).toEqual([
    {
      ...{ id: 'kyero', label: 'Kyero', type: 'xml', notes: 'the URL of the feed', version: 1 },
      credentials: { token: 'the secret' },
      settings: {},
      rates: { host: 'feeds.example', requests_per_second: 2, requests_per_day: 1000, requests_at_once: 5 },
    },
  ]);
  const { out: shown } = await ops('connectors');
  expect(shown).toContain('--credential token');
  expect(shown).toContain(
    'at most 2 requests a second and 1,000 a day to feeds.example, 5 at a time, over all ingestors',
  );
});
