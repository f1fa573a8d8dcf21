import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..', '..');

it('the types of clients/typescript say what openapi.json says', async () => {
  // In a process of its own: jest cannot load what the generator is made of.
  const tsx = createRequire(__filename).resolve('tsx/cli');
  const check = [tsx, join(ROOT, 'tools', 'client-types.ts'), '--check'];
  await expect(promisify(execFile)(process.execPath, check)).resolves.toEqual({ stdout: '', stderr: '' });
});
