import { type Connector } from '@passerelle/connectors';
import { runOps } from '../../../apps/ops/src/run-ops';

export const SECRETS_KEY = 'a secrets key of at least 32 characters';

/** The output of a command, and its exit code. */
interface Answer {
  exitCode: number;
  out: string;
  err: string;
}

export interface OpsTerminal {
  ops(...argv: string[]): Promise<Answer>;
  /** The value that `--json` prints. Fails if stdout contains anything else. */
  json(...argv: string[]): Promise<{ exitCode: number; value: unknown; err: string }>;
}

/** Two connectors without a format, with only the parts that the command line needs. */
const CONNECTORS = [
  {
    code: 'apimo',
    label: 'Apimo',
    type: 'api',
    fetch: { kind: 'pages' },
    credentials: { provider: 'its number', token: 'its secret' },
  },
  { code: 'kyero', label: 'Kyero', type: 'xml', fetch: { kind: 'document' }, credentials: {} },
].map((known) => ({ notes: 'where the feed is', version: 1, settings: {}, ...known })) as unknown as Connector[];

/** A terminal without colours, used by the operator "cmartin". */
export function opsTerminal(
  databaseUrl: string,
  wishes: {
    isTty?: boolean;
    interrupted?: AbortSignal;
    confirms?: boolean;
    env?: Record<string, string>;
    connectors?: Connector[];
    input?: string;
  } = {},
): OpsTerminal {
  const ops = async (...argv: string[]): Promise<Answer> => {
    let out = '';
    let err = '';
    const env = { DATABASE_URL: databaseUrl, SECRETS_KEY, DATA_DIR: '/nowhere', NO_COLOR: '1', ...wishes.env };
    const io = {
      out: (text: string) => (out += text),
      err: (text: string) => (err += text),
      isOutTty: wishes.isTty ?? false,
      isErrTty: wishes.isTty ?? false,
      columns: undefined,
      user: 'cmartin',
      now: () => new Date(),
      confirm: (question: string) => {
        err += question;
        return Promise.resolve(wishes.confirms ?? false);
      },
      readInput: () => Promise.resolve(Buffer.from(wishes.input ?? '')),
      catchInterrupt: () => wishes.interrupted ?? new AbortController().signal,
    };
    const exitCode = await runOps(argv, env, io, () => Promise.resolve(wishes.connectors ?? CONNECTORS));
    return { exitCode, out, err };
  };
  return {
    ops,
    async json(...argv) {
      const { exitCode, out, err } = await ops(...argv, '--json');
      return { exitCode, value: JSON.parse(out) as unknown, err };
    },
  };
}
