import { Inject, Injectable } from '@nestjs/common';
import { AuditLog, type Operator, Operators } from '@passerelle/database';
import { SecretBox } from '@passerelle/domain';
import { applyProviderRole } from '@passerelle/operations';
import type { Logger } from 'pino';
import type { ConsoleConfig } from '../config';
import { CONFIG, LOGGER, PROVIDER } from '../tokens';
import { GrantOver, type Provider, type ProviderGrant } from './provider';

/** The provider confirms a role again after this time. */
const CONFIRMED_EVERY_MS = 60_000;
/** After the provider has been away this long, its operators lose their access. */
const LONGEST_AWAY_MS = 15 * 60_000;

/** The roles of operators who signed in through the provider, while their sessions last. */
@Injectable()
export class ProviderRoles {
  private readonly box: SecretBox;
  /** Pending answers of the provider, by operator: further requests wait for the same answer. */
  private readonly underWay = new Map<string, Promise<Operator | null | undefined>>();

  constructor(
    @Inject(CONFIG) config: ConsoleConfig,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(PROVIDER) private readonly provider: Provider | null,
    readonly operators: Operators,
    readonly audit: AuditLog,
  ) {
    this.box = new SecretBox(config.consoleSecret);
  }

  /** Stores the token for the next request to the provider, encrypted. */
  async storeGrant(name: string, grant: ProviderGrant, now: Date): Promise<void> {
    await this.operators.storeGrant(name, this.box.seal(JSON.stringify(grant)), now);
  }

  /** The operator with the present role; null without a role, or if the role was unconfirmed for too long. */
  async renewed(operator: Operator, now: Date): Promise<Operator | null> {
    const { name, roleGivenAt } = operator;
    if (this.provider === null || roleGivenAt === null) return null;
    const agedMs = now.getTime() - Date.parse(roleGivenAt);
    if (agedMs < CONFIRMED_EVERY_MS) return operator;
    const requested = this.underWay.get(name) ?? this.requestRole(this.provider, operator, now);
    this.underWay.set(name, requested);
    const answered = await requested.finally(() => this.underWay.delete(name));
    if (answered !== undefined) return answered;
    return agedMs > LONGEST_AWAY_MS ? null : operator;
  }

  /** @returns undefined when there is no new answer. */
  private async requestRole(provider: Provider, operator: Operator, now: Date): Promise<Operator | null | undefined> {
    const { name } = operator;
    const sealed = await this.operators.takeGrant(name, new Date(now.getTime() - CONFIRMED_EVERY_MS), now);
    if (sealed === null) return undefined;
    try {
      const { role, grant } = await provider.roleNow(JSON.parse(this.box.open(sealed)) as ProviderGrant);
      if (role === null) return await this.end(name, 'the provider gives the operator no role');
      await this.storeGrant(name, grant, now);
      return await applyProviderRole(this, operator, role);
    } catch (error) {
      if (error instanceof GrantOver) return this.end(name, "the operator's session at the provider has ended");
      this.log.error({ err: error, provider: provider.name }, 'cannot get the role from the identity provider');
      return undefined;
    }
  }

  private async end(name: string, why: string): Promise<null> {
    this.log.warn({ operator: name }, why);
    await this.operators.endSessions(name);
    return null;
  }
}
