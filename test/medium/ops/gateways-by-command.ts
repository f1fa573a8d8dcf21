import { KeyHashes } from '@passerelle/domain';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { type OpsTerminal, opsTerminal, SECRETS_KEY } from './ops-terminal';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/;
export const anyTime: unknown = expect.stringMatching(ISO);

/** The options that name a gateway. */
export const nameOf = (client: string, crm = 'kyero'): string[] => ['--crm', crm, '--client', client];

/** Gateways that the command line adds, in this process, over their own PostgreSQL. */
export class GatewaysByCommand {
  private constructor(
    readonly db: TestDatabase,
    readonly terminal: OpsTerminal,
  ) {}

  static async start(): Promise<GatewaysByCommand> {
    const db = await createTestDatabase();
    return new GatewaysByCommand(db, opsTerminal(db.url));
  }

  /** @param more options of `gateway add` */
  async add(client: string, ...more: string[]): Promise<{ id: number; key: string }> {
    const source = ['--source', 'https://crm.example/feed.xml'];
    const { exitCode, value } = await this.terminal.json('gateway', 'add', ...nameOf(client), ...source, ...more);
    if (exitCode !== 0) throw new Error(JSON.stringify(value));
    const gateway = await this.db.database.gateways.find('kyero', client);
    return { id: gateway!.id, key: (value as { key: string }).key };
  }

  /** Whether the API accepts this key. */
  async opens(client: string, key: string): Promise<boolean> {
    const served = await this.db.database.servedGateways.find('kyero', client);
    const pepper = await this.db.database.installation.keyPepper();
    const hashes = new KeyHashes({ secretsKey: SECRETS_KEY, secretsKeyOld: null, pepper });
    return hashes.matching(key, served!.keys, Date.now()).length > 0;
  }
}
