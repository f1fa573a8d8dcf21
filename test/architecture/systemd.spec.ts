import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Program, type Setting, SETTINGS } from '@passerelle/settings';
import { nodeFlagsOf } from '../../tools/start/service';
import { commandOnPath } from '../support/command-on-path';
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

const MIGRATION = 'passerelle-migrate.service';
const programs = units.filter((unit) => unit !== MIGRATION);

/** The values of a directive in all lines of a unit that set it. */
const valuesOf = (unit: string, directive: string): string[] =>
  [...readFromRoot(`${FOLDER}/${unit}`).matchAll(new RegExp(`^${directive}=(.*)$`, 'gm'))].flatMap(([, value]) =>
    value!.split(/\s+/).filter((word) => word !== ''),
  );

/** Dependencies that make systemd stop or restart one unit together with another (systemd.unit(5)). */
const PROPAGATING = ['Requires', 'Requisite', 'BindsTo', 'PartOf', 'StopPropagatedFrom'];

/** All units that systemd stops when it stops or restarts the given unit, directly or through other units. */
function stoppedWith(unit: string): string[] {
  const direct = units.filter((one) => PROPAGATING.some((directive) => valuesOf(one, directive).includes(unit)));
  return [...new Set(direct.flatMap((one) => [one, ...stoppedWith(one)]))].sort();
}

/** All units that systemd cannot start after the given unit has failed. */
function blockedBy(unit: string): string[] {
  return units.filter((one) =>
    ['Requires', 'Requisite', 'BindsTo'].some((directive) => valuesOf(one, directive).includes(unit)),
  );
}

describe('deploy/systemd units together', () => {
  it('keep the programs running when an upgrade restarts the migration', () => {
    expect(stoppedWith(MIGRATION)).toEqual([]);
  });

  it('start the migration before the programs, and start the programs even if the migration failed', () => {
    for (const unit of programs) {
      expect([unit, valuesOf(unit, 'Wants'), valuesOf(unit, 'After')]).toEqual([
        unit,
        expect.arrayContaining([MIGRATION]),
        expect.arrayContaining([MIGRATION]),
      ]);
    }
    expect(blockedBy(MIGRATION)).toEqual([]);
  });

  it('retry without limit while the database is unavailable', () => {
    expect([valuesOf(MIGRATION, 'Type'), valuesOf(MIGRATION, 'Restart')]).toEqual([['oneshot'], ['on-failure']]);
    for (const unit of programs) expect([unit, valuesOf(unit, 'Restart')]).toEqual([unit, ['always']]);
    // With a limit, systemd gives up after five starts in ten seconds.
    for (const unit of units) expect([unit, valuesOf(unit, 'StartLimitIntervalSec')]).toEqual([unit, ['0']]);
  });
});
