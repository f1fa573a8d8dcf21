import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, connect, type Server } from 'node:net';

/** DNS names of compose's services, as compose's own DNS answers them: a service without a container has no address. */
export interface ComposeNames {
  /** Adds a service to the DNS. `target` is the `host:port` of the process that replaces it. */
  start(service: string, port: number, target: string): Promise<void>;
  /** Removes a service from the DNS and closes its port, as compose does when a container has ended. */
  stop(service: string): Promise<void>;
  /** Changes a command so that its program uses these names. */
  among(program: string, args: readonly string[]): [program: string, args: string[]];
  close(): Promise<void>;
}

/** The address of the name server. No other test uses it. */
const NAME_SERVER = '127.83.0.1';

/** Whether this machine supports the names, which need a separate mount of /etc/resolv.conf and port 53. */
export function canHaveComposeNames(): boolean {
  return process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0;
}

/**
 * @param resolvConf the path of a file that this function writes, and that programs started by `among` see as
 * /etc/resolv.conf
 */
export async function startComposeNames(resolvConf: string): Promise<ComposeNames> {
  await writeFile(resolvConf, `nameserver ${NAME_SERVER}\n`);
  const services = new Map<string, { address: string; server: Server }>();
  const dns = createSocket('udp4', (question, { port, address }) => {
    dns.send(
      answerTo(question, (name) => services.get(name)?.address),
      port,
      address,
    );
  });
  dns.bind(53, NAME_SERVER);
  await once(dns, 'listening');
  let next = 1;
  const stop = async (service: string): Promise<void> => {
    const { server } = services.get(service) ?? {};
    services.delete(service);
    if (server === undefined) return;
    server.close();
    await once(server, 'close');
  };
  return {
    async start(service, port, target) {
      await stop(service);
      const address = `127.83.1.${next++}`;
      const { hostname, port: targetPort } = new URL(`http://${target}`);
      const server = createServer((client) => {
        const upstream = connect(Number(targetPort), hostname);
        for (const [one, other] of [
          [client, upstream],
          [upstream, client],
        ] as const) {
          one.on('error', () => other.destroy());
          one.pipe(other);
        }
      });
      server.listen(port, address);
      await once(server, 'listening');
      services.set(service, { address, server });
    },
    stop,
    among(program, args) {
      const script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"';
      return ['unshare', ['-m', 'sh', '-c', script, resolvConf, program, ...args]];
    },
    async close() {
      for (const service of [...services.keys()]) await stop(service);
      dns.close();
      await once(dns, 'close');
    },
  };
}

const NO_SUCH_NAME = 3;

/** A DNS answer (RFC 1035): one address for an A question, no record for another type, NXDOMAIN for an unknown name. */
function answerTo(question: Buffer, addressOf: (name: string) => string | undefined): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const type = question.readUInt16BE(at + 1);
  const asked = question.subarray(12, at + 5);
  const address = addressOf(labels.join('.').toLowerCase());
  const hasAnswer = address !== undefined && type === 1;
  const head = Buffer.alloc(12);
  question.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 | (address === undefined ? NO_SUCH_NAME : 0), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(hasAnswer ? 1 : 0, 6);
  if (!hasAnswer) return Buffer.concat([head, asked]);
  // The name of the question, type A, class IN, 0 s to live, four bytes.
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
  return Buffer.concat([head, asked, record]);
}
