import { Inject, Injectable } from '@nestjs/common';
import { httpCredentialProblem, isPublicAddress } from '@passerelle/connectors/operators';
import { Connectors, GatewayExists, Gateways } from '@passerelle/database';
import { generateApiKey, KeyHashes, maskUrl, SecretBox } from '@passerelle/domain';
import {
  addGateway,
  BadValue,
  BadValues,
  type CsvLine,
  type GatewayWish,
  sealGateway,
  type SourceChecks,
  type SourcePolicy,
} from '@passerelle/operations';
import { GatewayBoard } from '../board/gateway-board';
import type { ConsoleConfig } from '../config';
import { CONFIG, DECLARATIONS } from '../tokens';
import { type AddableConnector, fieldsOf, parseWish } from './add-form';
import type { CheckedLine } from './csv-page';
import type { Declaration } from './known-connectors';

@Injectable()
export class AddedGateways {
  constructor(
    @Inject(CONFIG) private readonly config: ConsoleConfig,
    @Inject(DECLARATIONS) private readonly declared: readonly Declaration[],
    private readonly board: GatewayBoard,
    private readonly connectors: Connectors,
    readonly gateways: Gateways,
  ) {}

  /** The limits on sources, equal to the ingestors' limits if this process has the same settings. */
  get policy(): SourcePolicy & SourceChecks {
    const { inboxDir, allowPrivate } = this.config;
    return { inboxDir, allowPrivate, isPublicAddress, httpCredentialProblem };
  }

  /** For new keys. Only older keys use the installation's own secret, which this role may not read. */
  get hashes(): KeyHashes {
    const { secretsKey, secretsKeyOld } = this.config;
    return new KeyHashes({ secretsKey, secretsKeyOld, pepper: Buffer.alloc(0) });
  }

  get box(): SecretBox {
    return new SecretBox(this.config.secretsKey, this.config.secretsKeyOld);
  }

  /** Connectors that an ingestor has and this release knows. */
  async addable(): Promise<AddableConnector[]> {
    return (await this.connectors.list()).flatMap((record) => {
      const declaration = this.declared.find(({ code }) => code === record.id);
      return declaration === undefined ? [] : [{ ...record, declaration }];
    });
  }

  /** @returns the gateway's key, which is stored only as a hash. @throws GatewayExists */
  async add(wish: GatewayWish, operator: string): Promise<string> {
    const key = generateApiKey();
    const gateway = sealGateway(wish, this.box);
    await addGateway(this, { name: operator, through: 'console' }, gateway, { key, hashes: this.hashes });
    this.board.forget();
    return key;
  }

  /** @param before the earlier lines, because a gateway may appear only once */
  async ofLine(
    { line, cells }: CsvLine,
    before: readonly CheckedLine[],
    operator: string | null,
  ): Promise<CheckedLine> {
    const { crm = '', client = '' } = cells;
    let source = '';
    try {
      const wish = await this.wishOf(cells);
      source = maskUrl(wish.source, Object.values(wish.credentials));
      const isTaken = (await this.board.find(crm, client)) !== null;
      if (isTaken || before.some((one) => one.crm === crm && one.client === client)) {
        throw new BadValue('--client', `is taken: there is a gateway ${crm}/${client}`);
      }
      const key = operator === null ? null : await this.add(wish, operator);
      return { line, crm, client, source, problems: [], key };
    } catch (error) {
      const found = problemsOf(error);
      if (found === null) throw error;
      return { line, crm, client, source, problems: found, key: null };
    }
  }

  private async wishOf({ crm = '', ...cells }: Readonly<Record<string, string>>): Promise<GatewayWish> {
    const connector = (await this.addable()).find(({ id }) => id === crm);
    if (connector === undefined)
      throw new BadValue('--crm', `names a connector that no ingestor has: "${crm.slice(0, 64)}"`);
    const fields = fieldsOf(connector);
    const unknown = Object.keys(cells).find((title) => !fields.some(({ id }) => id === title));
    if (unknown !== undefined) throw new BadValue(`--${unknown}`, `is not accepted here for ${crm}`);
    return parseWish(connector, fields, new Map(Object.entries(cells)), this.policy);
  }
}

/** All problems of a line, each with its column; null for another error. */
function problemsOf(error: unknown): { column: string | null; problem: string }[] | null {
  if (error instanceof GatewayExists) return [{ column: null, problem: error.message }];
  const values = error instanceof BadValues ? error.values : error instanceof BadValue ? [error] : null;
  return values?.map(({ field, problem }) => ({ column: field, problem })) ?? null;
}
