import { connect, createServer } from 'node:net';
import { CannotStart } from './one-line';
import type { StartSettings } from './settings';

interface WantedPort {
  /** The name of the setting. */
  name: string;
  port: number;
  host: string;
}

/** @throws CannotStart with the name of the setting whose port is not available. */
export async function checkPorts({ host, port, opsPort }: StartSettings): Promise<void> {
  if (port === opsPort) throw new CannotStart(`PORT and OPS_PORT are both ${port}: choose different ports`);
  await checkPort({ name: 'PORT', port, host });
  await checkPort({ name: 'OPS_PORT', port: opsPort, host });
}

const PORTS_TRIED = 20;

/** Prefers the configured port: other addresses in feeds mean other photos. @throws CannotStart when all are taken. */
export async function findSimulatorPort({ port, opsPort, simulatorPort }: StartSettings): Promise<number> {
  return firstFree({ name: 'SIMULATOR_PORT', port: simulatorPort, host: '127.0.0.1' }, [port, opsPort]);
}

/** The configured port or the first free port after it. @throws CannotStart when all ports are taken. */
export async function findConsolePort(settings: StartSettings): Promise<number> {
  const { host, port, opsPort, simulatorPort, consolePort } = settings;
  return firstFree({ name: 'CONSOLE_PORT', port: consolePort, host }, [port, opsPort, simulatorPort]);
}

async function firstFree({ name, port, host }: WantedPort, others: readonly number[]): Promise<number> {
  for (let candidate = port; candidate < port + PORTS_TRIED && candidate <= 65_535; candidate++) {
    if (!others.includes(candidate) && (await bindingFailure(host, candidate)) === null) return candidate;
  }
  throw new CannotStart(`ports ${port} and the next ports are all in use: set ${name} to another`);
}

/** Omits other parts' ports, and ports where a server on [::1] would get the requests for `localhost`. */
export async function portsForDemo(settings: StartSettings): Promise<number[]> {
  const { port, opsPort, simulatorPort, demoPort, consolePort } = settings;
  const candidates = Array.from({ length: PORTS_TRIED }, (_, index) => demoPort + index).filter(
    (candidate) => candidate <= 65_535 && ![port, opsPort, simulatorPort, consolePort].includes(candidate),
  );
  const answered = await Promise.all(candidates.map((candidate) => isAnswered('::1', candidate)));
  return candidates.filter((_, index) => answered[index] !== true);
}

async function checkPort({ name, port, host }: WantedPort): Promise<void> {
  const failure = await bindingFailure(host, port);
  // A server that listens only on [::1] does not block the port, but `localhost` would lead to that server.
  if (failure === null && !(await isAnswered('::1', port))) return;
  if (failure === null || failure === 'EADDRINUSE') {
    throw new CannotStart(`port ${port} is in use by another program: stop it, or set ${name} to another port`);
  }
  if (failure === 'EACCES')
    throw new CannotStart(`port ${port} is not allowed for this account: set ${name} to one above 1023`);
  throw new CannotStart(`port ${port} on ${host} cannot be opened (${failure}): check ${name} and HOST`);
}

async function bindingFailure(host: string, port: number): Promise<string | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code ?? error.message);
    });
    server.listen(port, host, () => {
      server.close(() => {
        resolve(null);
      });
    });
  });
}

async function isAnswered(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 500 });
    const answer = (isOpen: boolean) => (): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', answer(true)).once('error', answer(false)).once('timeout', answer(false));
  });
}
