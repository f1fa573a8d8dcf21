import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..', '..');

it('types of clients/typescript match openapi.json', async () => {
  // Runs the generator in a separate process, because Jest cannot load its packages.
  const tsx = createRequire(__filename).resolve('tsx/cli');
  const check = [tsx, join(ROOT, 'tools', 'client-types.ts'), '--check'];
  await expect(promisify(execFile)(process.execPath, check)).resolves.toEqual({ stdout: '', stderr: '' });
});
