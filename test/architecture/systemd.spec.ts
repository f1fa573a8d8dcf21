import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Program, type Setting, SETTINGS } from '@passerelle/settings';
import { nodeFlagsOf } from '../../tools/start/part';
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
