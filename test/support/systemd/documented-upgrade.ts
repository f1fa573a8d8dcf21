import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Executes a command of the documented upgrade. @returns whether the command succeeded */
export type Execute = (program: 'systemctl' | 'curl' | 'sleep', args: string[]) => boolean | Promise<boolean>;

/** The lines of docs/production.md that upgrade the units. */
function documentedUpgrade(): string {
  const page = readFileSync(join(process.cwd(), 'docs/production.md'), 'utf8');
  const block = [...page.matchAll(/```sh\n([^]*?)```/g)].find(([, lines]) => lines!.includes('systemctl restart'));
  if (block === undefined) throw new Error('docs/production.md has no upgrade of the units');
  return block[1]!;
}

/**
 * Runs the documented upgrade in a shell, line by line, until a line fails. Real: the shell, `ln`, `cp`, and the folder
 * of units. `git` and `npm` do nothing; the other programs are executed by the caller.
 *
 * @param units the folder that replaces /etc/systemd/system
 */
export async function runDocumentedUpgrade(
  units: string,
  execute: Execute,
  released = 'deploy/systemd',
): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'documented-upgrade-'));
  const server = createServer((request, response) => {
    const { program, args } = JSON.parse(String(request.headers['x-command'])) as {
      program: 'systemctl' | 'curl' | 'sleep';
      args: string[];
    };
    void Promise.resolve(execute(program, args)).then(
      (isGood) => response.writeHead(isGood ? 200 : 500).end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const bin = join(root, 'bin');
    const { port } = server.address() as AddressInfo;
    for (const folder of ['bin', 'opt/passerelle-1.3.0/deploy']) mkdirSync(join(root, folder), { recursive: true });
    cpSync(released, join(root, 'opt/passerelle-1.3.0/deploy/systemd'), { recursive: true });
    for (const name of ['git', 'npm']) writeFileSync(join(bin, name), '#!/bin/sh\n', { mode: 0o755 });
    const forward = `#!${process.execPath}
const [program, ...args] = [require('node:path').basename(__filename), ...process.argv.slice(2)];
const headers = { 'x-command': JSON.stringify({ program, args }) };
require('node:http').get('http://127.0.0.1:${port}/', { headers }, (answer) => {
  answer.resume().on('end', () => { process.exitCode = answer.statusCode === 200 ? 0 : 1; });
});
`;
    for (const name of ['systemctl', 'curl', 'sleep']) writeFileSync(join(bin, name), forward, { mode: 0o755 });
    const script = documentedUpgrade()
      .replaceAll('/opt/', `${root}/opt/`)
      .replaceAll('/etc/systemd/system/', `${units}/`);
    const shell = spawn('sh', ['-e', '-c', script], {
      cwd: root,
      env: { PATH: `${bin}:${process.env['PATH']}` },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const [status] = (await once(shell, 'close')) as [number | null];
    return status ?? 1;
  } finally {
    server.close();
    rmSync(root, { recursive: true, force: true });
  }
}
