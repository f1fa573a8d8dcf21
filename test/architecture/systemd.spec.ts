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

  it('sets only what its program reads, and secrets from credentials that it loads', () => {
    for (const [name, value] of environment) {
      // The image's own words for "in earnest".
      if (name === 'NODE_ENV') continue;
      const isFile = name!.endsWith('_FILE');
      const setting = settings.get(name!.replace(/_FILE$/, ''));
      expect([name, setting?.readBy]).toEqual([name, expect.arrayContaining([PROGRAMS[unit]])]);
      expect([name, isFile]).toEqual([name, setting?.isSecret === true]);
      if (isFile) expect(text).toContain(`LoadCredential=${value!.replace('%d/', '')}:/etc/passerelle/secrets/`);
    }
  });

  it('starts what is built, as the image does', () => {
    const [, flags, script] = /^ExecStart=\/usr\/bin\/node (.*)dist\/(\S+)$/m.exec(text)!;
    expect(flags!.trim()).toBe(nodeFlagsOf(script!).join(' '));
    expect(() => readFromRoot(script!.replace(/\.js$/, '.ts'))).not.toThrow();
  });

  (commandOnPath('systemd-analyze') ? it : it.skip)('is taken by systemd, and exposes little', () => {
    const path = join(FOLDER, unit);
    const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' });
    // Node may be elsewhere here, and other units of this machine are not ours to judge.
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

/** The values of a directive of a unit, of all its lines. */
const valuesOf = (unit: string, directive: string): string[] =>
  [...readFromRoot(`${FOLDER}/${unit}`).matchAll(new RegExp(`^${directive}=(.*)$`, 'gm'))].flatMap(([, value]) =>
    value!.split(/\s+/).filter((word) => word !== ''),
  );

/** Dependencies by which systemd stops or restarts a unit with another one (systemd.unit(5)). */
const PROPAGATING = ['Requires', 'Requisite', 'BindsTo', 'PartOf', 'StopPropagatedFrom'];

/** All units that systemd stops when it stops or restarts one: those that depend on it so, and those that depend on them. */
function stoppedWith(unit: string): string[] {
  const direct = units.filter((one) => PROPAGATING.some((directive) => valuesOf(one, directive).includes(unit)));
  return [...new Set(direct.flatMap((one) => [one, ...stoppedWith(one)]))].sort();
}

/** All units that cannot start when one has failed. */
function blockedBy(unit: string): string[] {
  return units.filter((one) =>
    ['Requires', 'Requisite', 'BindsTo'].some((directive) => valuesOf(one, directive).includes(unit)),
  );
}

describe('the units of deploy/systemd together', () => {
  it('restart the migration of an upgrade without stopping a program', () => {
    expect(stoppedWith(MIGRATION)).toEqual([]);
  });

  it('start the programs after the migration, which they bring with them, and also after one that failed', () => {
    for (const unit of programs) {
      expect([unit, valuesOf(unit, 'Wants'), valuesOf(unit, 'After')]).toEqual([
        unit,
        expect.arrayContaining([MIGRATION]),
        expect.arrayContaining([MIGRATION]),
      ]);
    }
    expect(blockedBy(MIGRATION)).toEqual([]);
  });

  it('try again without an end while the database is away', () => {
    expect([valuesOf(MIGRATION, 'Type'), valuesOf(MIGRATION, 'Restart')]).toEqual([['oneshot'], ['on-failure']]);
    for (const unit of programs) expect([unit, valuesOf(unit, 'Restart')]).toEqual([unit, ['always']]);
    // systemd gives up after five starts in ten seconds otherwise.
    for (const unit of units) expect([unit, valuesOf(unit, 'StartLimitIntervalSec')]).toEqual([unit, ['0']]);
  });
});
