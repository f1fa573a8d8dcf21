import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandOnPath } from '../../support/command-on-path';
import type { Site } from './site';
import { PATIENCE_MS } from '../../support/waiting';

/** Debian's command name contains the version, and its folder is only on root's PATH. */
const FPM = ['/usr/sbin', '/usr/local/sbin', '/usr/bin']
  .filter((folder) => existsSync(folder))
  .flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /^php-fpm[\d.]*$/.test(name))
      .map((name) => join(folder, name)),
  )[0];

/** The programs for PHP-FPM and its web server that this machine lacks. */
export function missingForFpm(): string[] {
  return [...(FPM === undefined ? ['php-fpm'] : []), ...(commandOnPath('caddy') ? [] : ['caddy'])];
}

/**
 * Serves a site at its address as most hosters do: by PHP-FPM, behind a web server. @returns a function that stops
 * both
 */
export async function serveByFpm({ url, folder }: Pick<Site, 'url' | 'folder'>): Promise<() => Promise<void>> {
  const own = await mkdtemp(join(tmpdir(), 'fpm-'));
  const socket = join(own, 's');
  const user = userInfo().username;
  await writeFile(
    join(own, 'fpm.conf'),
    `[global]\nerror_log = ${own}/log\n[site]\nuser = ${user}\nlisten = ${socket}\npm = static\npm.max_children = 4\n`,
  );
  await writeFile(
    join(own, 'Caddyfile'),
    `{\n admin off\n auto_https off\n}\n${url} {\n root * ${folder}\n php_fastcgi unix/${socket}\n file_server\n}\n`,
  );
  const home = { ...process.env, HOME: own, XDG_DATA_HOME: own, XDG_CONFIG_HOME: own };
  const programs: ChildProcess[] = [
    spawn(FPM ?? 'php-fpm', ['-F', ...(user === 'root' ? ['-R'] : []), '-y', join(own, 'fpm.conf')], {
      stdio: 'ignore',
    }),
    spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', join(own, 'Caddyfile')], {
      stdio: 'ignore',
      env: home,
    }),
  ];
  const deadlineMs = Date.now() + PATIENCE_MS;
  while (!(await answers(url))) {
    if (Date.now() > deadlineMs) throw new Error('PHP-FPM did not start behind its web server');
    await sleep(50);
  }
  return async () => {
    await Promise.all(
      programs.map(async (program) => {
        const gone = once(program, 'exit');
        program.kill();
        await gone;
      }),
    );
    await rm(own, { recursive: true, force: true });
  };
}

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => null);
  await answer?.arrayBuffer();
  return answer?.status === 200;
}
