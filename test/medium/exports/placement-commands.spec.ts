import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SecretBox } from '@passerelle/domain';
import { createTargets } from '@passerelle/exporters';
import { pumpExports } from '../../support/exports/export-pump';
import { PublishedLists } from '../../support/published-lists';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { type OpsTerminal, opsTerminal, SECRETS_KEY } from '../ops/ops-terminal';

const OF = ['--crm', 'kyero', '--client', 'agence-du-port'];

// Real: the command line, PostgreSQL, the engine, the target kyero.
describe('commands of exports', () => {
  let db: TestDatabase;
  let lists: PublishedLists;
  let terminal: OpsTerminal;
  let folder: string;
  beforeEach(async () => {
    db = await createTestDatabase();
    lists = await PublishedLists.of(db.database, 'agence-du-port');
    terminal = opsTerminal(db.url);
    folder = await mkdtemp(join(tmpdir(), 'preview-'));
  });
  afterEach(async () => {
    await db.drop();
    await rm(folder, { recursive: true });
  });

  const json = async (...words: string[]): Promise<Record<string, unknown>> => {
    const { exitCode, value } = await terminal.json(...words);
    return { exitCode, ...(value as object) };
  };
  const house = (affId: string, fields: object = {}) => ({
    ...{ affId, intitule: `House ${affId}` },
    fields: { typeTransaction: 'vente', typeCode: 'maison', prix: 100_000, ville: 'Nice', pays: 'FR', ...fields },
  });
  const pump = (): Promise<string[]> =>
    pumpExports(db.database, { targets: [...createTargets().values()], box: new SecretBox(SECRETS_KEY) });

  it('add, change, pause, show and remove a placement, without showing a secret', async () => {
    const added = await json(
      'placement',
      'add',
      ...OF,
      '--target',
      'kyero',
      '--rule',
      'types=maison',
      'max-price=200000',
      '--embargo',
      '0s',
    );
    expect(added).toMatchObject({ exitCode: 0, id: 1, target: 'kyero', on: true, lacks: [] });
    expect(
      await json('placement', 'set', '--id', '1', '--lang', 'en', '--contact', 'email=a@agence.example'),
    ).toMatchObject({
      ...{
        exitCode: 0,
        language: 'en',
        rule: { types: ['maison'], maxPrice: 200_000 },
        contact: { email: 'a@agence.example' },
      },
    });
    expect(await json('placement', 'pause', '--id', '1')).toMatchObject({ on: false, state: 'off' });
    expect(await json('placement', 'resume', '--id', '1')).toMatchObject({ on: true });
    expect((await terminal.ops('placement', 'list')).out).toContain('kyero/agence-du-port');
    expect(await json('placement', 'approve', '--id', '1', '--reason', 'why not')).toEqual({
      exitCode: 1,
      error: 'placement 1 is not held',
    });
    expect(await json('placement', 'remove', '--id', '1', '--yes')).toMatchObject({ exitCode: 0, removed: true });
    expect(await json('placement', 'show', '--id', '1')).toEqual({ exitCode: 1, error: 'there is no placement 1' });
    const acts = await db.query<{ act: string }>('SELECT act FROM audit ORDER BY id');
    expect(acts.map(({ act }) => act)).toEqual([
      'placement add',
      'placement set',
      'placement pause',
      'placement resume',
      'placement remove',
    ]);
  });

  it('leave a placement off that lacks a login, seal what is given, and name wrong values', async () => {
    expect(await json('placement', 'add', ...OF, '--target', 'poliris')).toMatchObject({
      ...{ exitCode: 0, on: false, lacks: expect.arrayContaining(['the credential "url"']) as string[] },
    });
    expect(await json('placement', 'resume', '--id', '1')).toMatchObject({ exitCode: 1 });
    await json(
      'placement',
      'set',
      '--id',
      '1',
      '--credential',
      'url=ftp://portal.example/in',
      'password=a-secret-word',
    );
    const [row] = await db.query<{ credentials: Buffer }>('SELECT credentials FROM placement');
    expect(row?.credentials.toString('latin1')).not.toContain('a-secret-word');
    expect((await terminal.ops('placement', 'show', '--id', '1')).out).not.toContain('a-secret-word');
    expect(await json('placement', 'add', ...OF, '--target', 'nowhere')).toMatchObject({
      ...{ exitCode: 2, error: expect.stringMatching(/^--target "nowhere" is no target; there are: /) as string },
    });
    expect(await json('placement', 'add', ...OF, '--target', 'kyero', '--rule', 'types=castle')).toMatchObject({
      ...{ exitCode: 2, error: expect.stringMatching(/^--rule types takes appartement/) as string },
    });
  });

  it('preview what would be sent, and say why a listing is not sent', async () => {
    await json('placement', 'add', ...OF, '--target', 'kyero', '--off', '--rule', 'max-price=200000');
    await lists.publish([house('1'), house('2', { prix: 900_000 })]);
    const to = join(folder, 'out');
    const preview = await json('placement', 'preview', '--id', '1', '--to', to);
    expect(preview).toMatchObject({
      ...{
        exitCode: 0,
        ready: 1,
        left_out: [{ affId: '2', reason_code: 'rule', reason: 'its price 900000 is above 200000' }],
      },
    });
    const [file = ''] = preview['files'] as string[];
    expect(await readFile(join(to, file), 'utf8')).toContain('<id>1</id>');
    expect(await json('placement', 'preview', '--id', '1', '--to', to)).toMatchObject({
      exitCode: 1,
      error: `${to} is not empty`,
    });
    await json('placement', 'resume', '--id', '1');
    expect(await pump()).toEqual([]);
    expect(await json('publication', 'list', ...OF)).toMatchObject({ total: 2 });
    expect(await json('publication', 'list', '--placement', '1', '--state', 'delivered')).toMatchObject({
      ...{ total: 1, publications: [{ affId: '1', target: 'kyero', state: 'delivered' }] },
    });
    const why = (id: string): Promise<Record<string, unknown>> => json('why', ...OF, '--id', id, '--target', 'kyero');
    expect(await why('1')).toMatchObject({
      state: 'delivered',
      explanation: expect.stringContaining('the portal has it') as string,
    });
    expect(await why('2')).toMatchObject({
      state: 'waiting',
      explanation: expect.stringContaining('its price 900000 is above 200000') as string,
    });
    expect(await why('3')).toMatchObject({
      ...{
        state: 'unknown',
        explanation: expect.stringMatching(/^the list of the last export, at 2[^,]+, did not have it$/) as string,
      },
    });
    await db.query(`INSERT INTO pause (crm, paused_by) VALUES ('kyero', 'test')`);
    await db.query(`UPDATE publication SET removal = 'held' WHERE aff_id = '1'`);
    expect((await why('1'))['explanation']).toBe(
      'the portal has it; this portal does not say what becomes of an advert; the list does not have it any more, and its ' +
        'removal is held; the gateway is paused, so nothing is exported',
    );
    await db.query('DELETE FROM pause');
    expect(
      await json('publication', 'withdraw', '--placement', '1', '--listing', '1', '--reason', 'the owner asks'),
    ).toMatchObject({ exitCode: 0 });
    await pump();
    expect(await why('1')).toMatchObject({
      state: 'removed',
      explanation: expect.stringContaining('an operator took it offline') as string,
    });
    expect(await json('publication', 'retry', '--placement', '1', '--listing', '1')).toMatchObject({ adverts: 1 });
    await pump();
    expect(await why('1')).toMatchObject({ state: 'delivered' });
    expect(await json('gateway', 'remove', ...OF, '--yes')).toMatchObject({
      ...{ exitCode: 1, error: expect.stringContaining('portals show 1 advert at kyero') as string },
    });
    expect(await json('gateway', 'remove', ...OF, '--yes', '--leave-adverts')).toMatchObject({ exitCode: 0 });
  });
});
