import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Program, type Setting, SETTINGS } from '@passerelle/settings';
import { nodeFlagsOf } from '../../tools/start/service';
import { commandOnPath } from '../support/command-on-path';
import { runDocumentedUpgrade } from '../support/systemd/documented-upgrade';
import { SystemdModel } from '../support/systemd/model';
import { readFromRoot } from './read-from-root';

const FOLDER = 'deploy/systemd';
const units = readdirSync(join(process.cwd(), FOLDER));
const settings = new Map<string, Setting<unknown>>(Object.entries(SETTINGS));
const PROGRAMS: Record<string, Program> = {
  'passerelle-api@.service': 'API',
  'passerelle-ingestor@.service': 'ingestor',
  'passerelle-console.service': 'console',
  'passerelle-migrate.service': 'migrate',
};

describe.each(units)('deploy/systemd/%s', (unit) => {
  const text = readFromRoot(`${FOLDER}/${unit}`);
  const environment = [...text.matchAll(/^Environment=([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]);

  it('sets only settings that its program reads, and takes secrets from credentials that systemd loads', () => {
    for (const [name, value] of environment) {
      // NODE_ENV is a setting of Node, not of Passerelle.
      if (name === 'NODE_ENV') continue;
      const isFile = name!.endsWith('_FILE');
      const setting = settings.get(name!.replace(/_FILE$/, ''));
      expect([name, setting?.readBy]).toEqual([name, expect.arrayContaining([PROGRAMS[unit]])]);
      expect([name, isFile]).toEqual([name, setting?.isSecret === true]);
      if (isFile) expect(text).toContain(`LoadCredential=${value!.replace('%d/', '')}:/etc/passerelle/secrets/`);
    }
  });

  it('starts the built script with the flags of the image', () => {
    const [, flags, script] = /^ExecStart=\/usr\/bin\/node (.*)dist\/(\S+)$/m.exec(text)!;
    expect(flags!.trim()).toBe(nodeFlagsOf(script!).join(' '));
    expect(() => readFromRoot(script!.replace(/\.js$/, '.ts'))).not.toThrow();
  });

  (commandOnPath('systemd-analyze') ? it : it.skip)('passes systemd-analyze verify and security', () => {
    const path = join(FOLDER, unit);
    const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' });
    // Ignore a missing Node executable, because this machine may have it elsewhere, and ignore faults in other units.
    const faults = stderr.split('\n').filter((line) => line.includes('passerelle') && !line.includes('executable'));
    expect(faults).toEqual([]);
    const { status } = spawnSync('systemd-analyze', [
      'security',
      '--offline=yes',
      '--threshold=20',
      '--no-pager',
      path,
    ]);
    expect(status).toBe(0);
  });
});

const API = ['passerelle-api@3000', 'passerelle-api@3010'];
const SERVICES = [...API, 'passerelle-ingestor@3001', 'passerelle-console'];

// Real: the unit files, and the upgrade of docs/production.md in a shell. Fake: systemd, as a model of its rules.
describe('deploy/systemd units together', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'units-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** Copies the units to a folder, with a change of their text. */
  function unitsWith(name: string, change: (text: string) => string = (text) => text): string {
    const target = join(folder, name);
    mkdirSync(target);
    for (const unit of units) writeFileSync(join(target, unit), change(readFromRoot(`${FOLDER}/${unit}`)));
    return target;
  }
  const required = (text: string): string =>
    text.replace(/^Wants=(.*) passerelle-migrate.service$/m, 'Wants=$1\nRequires=passerelle-migrate.service');

  /** Plays the upgrade. `seconds` is the longest time that a service was down. */
  async function upgraded(released: string): Promise<{ status: number; seconds: number; bothApisDown: boolean }> {
    const installed = join(folder, 'installed');
    cpSync(released, installed, { recursive: true });
    const systemd = new SystemdModel(installed, { migrationSeconds: 60, hasDatabase: () => true });
    systemd.systemctl('start', ...SERVICES);
    const before = SERVICES.map((name) => systemd.downSeconds(name));
    let bothApisDown = false;
    const status = await runDocumentedUpgrade(
      installed,
      (program, args) => {
        if (program === 'systemctl') {
          const from = systemd.events.length;
          const isGood = systemd.systemctl(...(args as [string, ...string[]]));
          const stopped = systemd.events.slice(from).filter((event) => event.startsWith('stop passerelle-api@'));
          bothApisDown ||= stopped.length > 1;
          return isGood;
        }
        if (program === 'sleep') systemd.wait(Number(args[0]));
        const port = /:(\d+)\/health\/ready$/.exec(args.join(' '))?.[1];
        return program === 'sleep' || systemd.isActive(`passerelle-api@${port}`);
      },
      released,
    );
    expect(SERVICES.filter((name) => !systemd.isActive(name))).toEqual([]);
    const seconds = Math.max(...SERVICES.map((name, at) => systemd.downSeconds(name) - before[at]!));
    return { status, seconds, bothApisDown };
  }

  it('keep every program running during the migration of an upgrade, and replace one API after the other', async () => {
    expect(await upgraded(unitsWith('released'))).toEqual({ status: 0, seconds: 0, bothApisDown: false });
  });

  it('are distinguished by the model from units with Requires=, which are down during the migration', async () => {
    const { seconds, bothApisDown } = await upgraded(unitsWith('released', required));
    expect([seconds >= 60, bothApisDown]).toEqual([true, true]);
  });

  /** The services that run after a boot at which the database starts two minutes late. */
  function runningAfterLateDatabase(released: string): string[] {
    const systemd = new SystemdModel(released, { migrationSeconds: 1, hasDatabase: (second) => second >= 120 });
    systemd.boot(...SERVICES);
    systemd.wait(180);
    return ['passerelle-migrate', ...SERVICES].filter((name) => systemd.isActive(name));
  }

  it('start by themselves when the database starts late after a reboot', () => {
    expect(runningAfterLateDatabase(unitsWith('released'))).toEqual(['passerelle-migrate', ...SERVICES]);
  });

  it('are distinguished by the model from units with Requires=, which a late database keeps down', () => {
    expect(runningAfterLateDatabase(unitsWith('released', required))).toEqual(['passerelle-migrate']);
  });

  it('retry without limit while the database is unavailable', () => {
    for (const unit of units) {
      const text = readFromRoot(`${FOLDER}/${unit}`);
      const restart = unit === 'passerelle-migrate.service' ? 'on-failure' : 'always';
      expect([unit, /^Restart=(.*)$/m.exec(text)?.[1]]).toEqual([unit, restart]);
      // With a limit, systemd gives up after five starts in ten seconds.
      expect([unit, /^StartLimitIntervalSec=(.*)$/m.exec(text)?.[1]]).toEqual([unit, '0']);
    }
  });
});
