import type { Connector } from '@passerelle/connectors';
import { Database, type GatewayDetails } from '@passerelle/database';
import { SecretBox, SLUG_PATTERN } from '@passerelle/domain';
import { databaseUnreachable, Refused, WrongUse } from './failures';
import { type Instance, locateInstance } from './instance';
import type { Environment, OpsIo } from './io';
import type { Outcome } from './outcome';

/** Removing a gateway with a long past takes its time; nobody else waits for this process's statements. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

/** What one command needs, opened when it is asked for. */
export class Session {
  outcome: Outcome | null = null;
  private instance: Promise<Instance> | null = null;
  private database: Promise<Database> | null = null;

  constructor(
    readonly env: Environment,
    readonly io: OpsIo,
    private readonly loadConnectors: () => Promise<readonly Connector[]>,
  ) {}

  answer(outcome: Outcome): void {
    this.outcome = outcome;
  }

  /** @throws Refused when it cannot be reached. */
  async openDatabase(): Promise<Database> {
    this.database ??= this.connect();
    return this.database;
  }

  /** Every registered connector, by code. */
  async connectors(): Promise<readonly Connector[]> {
    return this.loadConnectors();
  }

  /** Seals credentials, or null when there are none. @throws Refused without a SECRETS_KEY. */
  async seal(credentials: Readonly<Record<string, string>>): Promise<Buffer | null> {
    if (Object.keys(credentials).length === 0) return null;
    const { secretsKey } = await this.locate();
    if (secretsKey === undefined) throw new Refused('--credential needs SECRETS_KEY, the same as the ingestor has');
    return new SecretBox(secretsKey).seal(JSON.stringify(credentials));
  }

  /** @throws WrongUse for names that no gateway can have, Refused when there is no such gateway. */
  async gateway(crm: string, client: string): Promise<GatewayDetails> {
    assertSlug('--crm', crm);
    assertSlug('--client', client);
    const database = await this.openDatabase();
    const gateway = await database.gateways.find(crm, client);
    if (gateway === null) throw new Refused(`there is no gateway ${crm}/${client}`);
    return gateway;
  }

  async close(): Promise<void> {
    const database = await this.database?.catch(() => null);
    await database?.close();
  }

  private async connect(): Promise<Database> {
    const { databaseUrl } = await this.locate();
    try {
      return await Database.connect({
        url: databaseUrl,
        applicationName: 'passerelle-ops',
        poolSize: 2,
        statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      });
    } catch (error) {
      throw databaseUnreachable(databaseUrl, error);
    }
  }

  private locate(): Promise<Instance> {
    this.instance ??= locateInstance(this.env);
    return this.instance;
  }
}

/** @throws WrongUse */
export function assertSlug(option: string, value: string): void {
  if (SLUG_PATTERN.test(value)) return;
  throw new WrongUse(`${option} takes letters, digits, "-" and "_", not "${value}"`);
}
