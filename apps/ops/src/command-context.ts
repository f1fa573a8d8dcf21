import type { Connector } from '@passerelle/connectors';
import type { Database, GatewayDetails, SecretsKeyCheck } from '@passerelle/database';
import { type AuditEntry, KeyHashes, ManifestKeys, type RunView, SecretBox } from '@passerelle/domain';
import type { OpenBackups, OpenListingTraces, TracedGateway } from '@passerelle/database/operators';
import { type Actor, assertSlug, type FreshnessTerms, Refused } from '@passerelle/operations';
import { databaseUnreachable, UsageError } from './errors';
import { SecretInput } from './options/secret-input';

import type { RenderOptions } from './render/render-options';
import { type Instance, locateInstance } from './running-instance';
import type { Environment, Terminal } from './terminal';

/** The result of a command: one JSON value, or text for a person. */
export interface CommandResult {
  json: unknown;
  text(options: RenderOptions): string;
  /** Why the exit code is 1 although the command has a result. */
  failure?: string | undefined;
}

const MOST_NAME_LENGTH = 100;

/** The services that a command uses. The database and the connectors are opened on first use. */
export class CommandContext {
  result: CommandResult | null = null;
  /** For options that name a file or standard input. */
  readonly input: SecretInput;
  private instance: Promise<Instance> | null = null;
  private database: Promise<Database> | null = null;
  private traces: Promise<OpenListingTraces> | null = null;
  private backups: Promise<OpenBackups> | null = null;

  constructor(
    readonly env: Environment,
    readonly terminal: Terminal,
    /** Every registered connector, by code. */
    readonly loadConnectors: () => Promise<readonly Connector[]>,
    private readonly as: string | null = null,
  ) {
    this.input = new SecretInput(terminal);
  }

  /** The default period of gateways, in seconds. @throws ConfigError */
  async freshnessTerms(): Promise<FreshnessTerms> {
    const { everySeconds, ttlSeconds } = await this.locate();
    return { everySeconds, ttlSeconds };
  }

  /** The operator's name: `--as`, else `OPS_USER`, else the account on this machine. */
  async actor(): Promise<Actor> {
    const name = (this.as ?? (await this.locate()).user ?? this.terminal.user).trim();
    if (name !== '' && name.length <= MOST_NAME_LENGTH) return { name, through: 'ops' };
    throw new UsageError(`--as takes a name of at most ${MOST_NAME_LENGTH} characters`);
  }

  async record(entry: Omit<AuditEntry, 'who' | 'through'>): Promise<void> {
    const { name: who, through } = await this.actor();
    const { audit } = await this.openDatabase();
    await audit.record([{ who, through, ...entry }]);
  }

  answer(result: CommandResult): void {
    this.result = result;
  }

  /** @throws Refused when the database cannot be reached. */
  async openDatabase(): Promise<Database> {
    this.database ??= this.open(async (url) => {
      const { openWholeDatabase } = await import('./open-database.ts');
      return openWholeDatabase(url);
    });
    return this.database;
  }

  /** Repositories that avoid the ORM, because it loads slowly. @throws Refused */
  async openListingTraces(): Promise<OpenListingTraces> {
    this.traces ??= this.open(async (url) => {
      const { listingTracesAt } = await import('./open-listing-traces.ts');
      return listingTracesAt(url);
    });
    return this.traces;
  }

  /** @throws Refused when the database cannot be reached. */
  async openBackups(): Promise<OpenBackups> {
    this.backups ??= this.open(async (url) => {
      const { openDatabaseBackups } = await import('./open-backups.ts');
      return openDatabaseBackups(url);
    });
    return this.backups;
  }

  /** @throws UsageError for an invalid name, Refused when there is no such gateway. */
  async gateway(crm: string, client: string): Promise<GatewayDetails> {
    return this.find(crm, client, async () => (await this.openDatabase()).gateways.find(crm, client));
  }

  /** Finds a gateway without loading the ORM. */
  async tracedGateway(crm: string, client: string): Promise<TracedGateway> {
    return this.find(crm, client, async () => (await this.openListingTraces()).findGateway(crm, client));
  }

  /** @throws Refused when there is no such run. */
  async run(id: number): Promise<RunView> {
    const { runHistory } = await this.openDatabase();
    const run = await runHistory.find(id);
    if (run === null)
      throw new Refused(
        `there is no run ${id}: old runs are deleted, and unchanged runs are merged into one line per day`,
      );
    return run;
  }

  /** @throws UsageError listing the registered connectors. */
  async connector(crm: string): Promise<Connector> {
    assertSlug('--crm', crm);
    const connectors = await this.loadConnectors();
    const connector = connectors.find(({ code }) => code === crm);
    if (connector !== undefined) return connector;
    throw new UsageError(`--crm "${crm}" is no connector; there are: ${connectors.map(({ code }) => code).join(', ')}`);
  }

  /** Seals and opens secrets; null without a SECRETS_KEY. @throws Refused when the database has another key. */
  async secretBox(): Promise<SecretBox | null> {
    await this.assertSecretsKeyFits();
    return this.uncheckedSecretBox();
  }

  /** A secret box whose key is not checked, for commands that report or replace the key. */
  async uncheckedSecretBox(): Promise<SecretBox | null> {
    const { secretsKey, secretsKeyOld } = await this.locate();
    return secretsKey === undefined ? null : new SecretBox(secretsKey, secretsKeyOld);
  }

  /** Signs and verifies the files of backups and exports. */
  async manifestKeys(): Promise<ManifestKeys> {
    const { secretsKey = null, secretsKeyOld } = await this.locate();
    return new ManifestKeys(secretsKey, secretsKeyOld);
  }

  /** @throws Refused, which names `what`, when SECRETS_KEY is missing or is not the key of the database. */
  async requireSecretBox(what: string): Promise<SecretBox> {
    const box = await this.secretBox();
    if (box === null) throw new Refused(`${what} needs SECRETS_KEY, the same as the ingestor has`);
    return box;
  }

  /** Hashes an API key before it is stored. @throws Refused when SECRETS_KEY is not the key of the database. */
  async keyHashes(): Promise<KeyHashes> {
    await this.assertSecretsKeyFits();
    return this.uncheckedKeyHashes();
  }

  /** Compares SECRETS_KEY with the key of the database; null without a SECRETS_KEY. */
  async secretsKeyCheck(): Promise<SecretsKeyCheck | null> {
    const { secretsKey, secretsKeyOld } = await this.locate();
    if (secretsKey === undefined) return null;
    const { secretsKeyCheck } = await this.openDatabase();
    return secretsKeyCheck({ secretsKey, secretsKeyOld });
  }

  /** API key hashes with an unchecked SECRETS_KEY, for commands that report or replace it. */
  async uncheckedKeyHashes(): Promise<KeyHashes> {
    const { secretsKey = null, secretsKeyOld } = await this.locate();
    const { installation } = await this.openDatabase();
    return new KeyHashes({ secretsKey, secretsKeyOld, pepper: await installation.keyPepper() });
  }

  async close(): Promise<void> {
    for (const opening of [this.database, this.traces, this.backups]) {
      const opened = await opening?.catch(() => null);
      await opened?.close();
    }
  }

  private async assertSecretsKeyFits(): Promise<void> {
    const fault = await (await this.secretsKeyCheck())?.faultOrClaim();
    if (typeof fault === 'string') throw new Refused(fault);
  }

  private async find<T>(crm: string, client: string, load: () => Promise<T | null>): Promise<T> {
    assertSlug('--crm', crm);
    assertSlug('--client', client);
    const gateway = await load();
    if (gateway === null) throw new Refused(`there is no gateway ${crm}/${client}`);
    return gateway;
  }

  private async open<T>(connect: (url: string) => Promise<T>): Promise<T> {
    const { databaseUrl } = await this.locate();
    try {
      return await connect(databaseUrl);
    } catch (error) {
      throw databaseUnreachable(databaseUrl, error);
    }
  }

  private locate(): Promise<Instance> {
    this.instance ??= locateInstance(this.env);
    return this.instance;
  }
}
