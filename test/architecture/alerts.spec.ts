import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { commandOnPath } from '../support/command-on-path';

const FOLDER = join(__dirname, '..', '..', 'ops', 'prometheus');
// Real: Prometheus' own tool, where it is found (apt-get install prometheus).
const withPromtool = commandOnPath('promtool') ? it : it.skip;

describe('ops/prometheus/alerts.yml', () => {
  withPromtool('has rules that Prometheus accepts', () => {
    const said = execFileSync('promtool', ['check', 'rules', 'alerts.yml'], { cwd: FOLDER, encoding: 'utf8' });
    expect(said).toContain('SUCCESS');
  });

  withPromtool('fires for each outage within two minutes, and for nothing else', () => {
    const said = execFileSync('promtool', ['test', 'rules', 'alerts.test.yml'], { cwd: FOLDER, encoding: 'utf8' });
    expect(said).toContain('SUCCESS');
  });
});

describe('ops/alertmanager/start.sh', () => {
  const SCRIPT = join(__dirname, '..', '..', 'ops', 'alertmanager', 'start.sh');
  const folder = mkdtempSync(join(tmpdir(), 'alertmanager-'));
  const config = join(folder, 'alertmanager.yml');
  const mailUrl = join(folder, 'mail_url');
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** Runs the script as compose does. The command `true` replaces Alertmanager, which the script would start. */
  function start(environment: Readonly<Record<string, string>>) {
    const env = { PATH: process.env['PATH'], ALERTMANAGER_CONFIG: config, MAIL_URL_FILE: mailUrl, ...environment };
    const { status, stderr } = spawnSync('sh', [SCRIPT, 'true'], { env, encoding: 'utf8' });
    if (status === 0 && commandOnPath('amtool')) execFileSync('amtool', ['check-config', config]);
    return { status, stderr };
  }
  const receiver = (): unknown => (parse(readFileSync(config, 'utf8')) as { receivers: unknown[] }).receivers[0];

  it('sends no alerts when no receiver is set', () => {
    expect(start({ NOTIFY_EMAIL: '', NOTIFY_WEBHOOK_URL: '' })).toEqual({ status: 0, stderr: '' });
    expect(receiver()).toEqual({ name: 'operators' });
  });

  it('sends alerts by mail and by POST, and decodes the account in MAIL_URL', () => {
    writeFileSync(mailUrl, 'smtps://ops%40example.org:it%27s%20100%25@mail.example.org');
    const env = {
      NOTIFY_EMAIL: 'a@example.org,b@example.org',
      MAIL_FROM: "L'agence <p@example.org>",
      NOTIFY_WEBHOOK_URL: 'https://hooks.example.org/x?a=b',
    };
    expect(start(env)).toEqual({ status: 0, stderr: '' });
    const mail = {
      ...{ from: "L'agence <p@example.org>", smarthost: 'mail.example.org:465', require_tls: true },
      ...{ auth_username: 'ops@example.org', auth_password: "it's 100%", send_resolved: true },
    };
    expect(receiver()).toEqual({
      name: 'operators',
      email_configs: [
        { to: 'a@example.org', ...mail },
        { to: 'b@example.org', ...mail },
      ],
      webhook_configs: [{ url: 'https://hooks.example.org/x?a=b', send_resolved: true }],
    });
  });

  it.each([
    [
      'a mail server',
      { NOTIFY_EMAIL: 'a@example.org', MAIL_URL_FILE: '/nonexistent', MAIL_FROM: 'p@example.org' },
      'MAIL_URL',
    ],
    ['a sender', { NOTIFY_EMAIL: 'a@example.org' }, 'MAIL_FROM'],
  ])('fails with one line when NOTIFY_EMAIL is set without %s', (_what, env, missing) => {
    writeFileSync(mailUrl, 'smtp://mail.example.org');
    const { status, stderr } = start(env);
    expect(status).toBe(1);
    expect(stderr).toMatch(new RegExp(`^alertmanager: NOTIFY_EMAIL needs ${missing}.*\n$`));
  });
});
