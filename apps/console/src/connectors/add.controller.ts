import { Body, Controller, Get, HttpCode, Inject, NotFoundException, Param, Post, Res } from '@nestjs/common';
import { httpCredentialProblem, isPublicAddress } from '@passerelle/connectors/operators';
import { Connectors, GatewayExists, Gateways, type Operator } from '@passerelle/database';
import { generateApiKey, KeyHashes, SecretBox } from '@passerelle/domain';
import { addGateway, BadValue, sealGateway } from '@passerelle/operations';
import type { FastifyReply } from 'fastify';
import type { Fields } from '../access/form';
import { Needs, SignedIn } from '../access/operator.guard';
import { GatewayBoard } from '../board/gateway-board';
import type { ConsoleConfig } from '../config';
import { type Visit, Visiting } from '../layout/page';
import { CONFIG, DECLARATIONS } from '../tokens';
import { type AddableConnector, badFields, fieldsOf, parseWish, typedOf } from './add-form';
import { addedPage, addPage, choosePage } from './add-page';
import type { Declaration } from './known-connectors';

/** Adds gateways, by forms that are made from what connectors declare. */
@Controller()
export class AddController {
  constructor(
    @Inject(CONFIG) private readonly config: ConsoleConfig,
    @Inject(DECLARATIONS) private readonly declared: readonly Declaration[],
    private readonly board: GatewayBoard,
    private readonly connectors: Connectors,
    readonly gateways: Gateways,
  ) {}

  @Get('gateways/add')
  @Needs('operator')
  async choose(@Visiting() visit: Visit): Promise<string> {
    return choosePage(visit, await this.addable());
  }

  @Get('connectors/:code/add')
  @Needs('operator')
  async form(@Visiting() visit: Visit, @Param('code') code: string): Promise<string> {
    const connector = await this.find(code);
    return addPage(visit, { connector, fields: fieldsOf(connector), typed: new Map() });
  }

  /** Adds it and shows its key, this once; or says which field cannot be used, with all that was typed. */
  @Post('connectors/:code/add')
  @HttpCode(200)
  @Needs('operator')
  async add(
    @Visiting() visit: Visit,
    @SignedIn() { name }: Operator,
    @Param('code') code: string,
    @Body() body: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const connector = await this.find(code);
    const fields = fieldsOf(connector);
    const typed = typedOf(fields, body);
    const { secretsKey, secretsKeyOld, inboxDir, allowPrivate } = this.config;
    try {
      const policy = { inboxDir, allowPrivate, isPublicAddress, httpCredentialProblem };
      const gateway = sealGateway(
        parseWish(connector, fields, typed, policy),
        new SecretBox(secretsKey, secretsKeyOld),
      );
      const key = generateApiKey();
      // The installation's own secret is for keys of before: this role may not read it.
      const hashes = new KeyHashes({ secretsKey, secretsKeyOld, pepper: Buffer.alloc(0) });
      await addGateway(this, { name, through: 'console' }, gateway, { key, hashes });
      this.board.forget();
      await reply.send(addedPage(visit, gateway, key));
    } catch (error) {
      const bad = error instanceof GatewayExists ? new BadValue('--client', error.message) : error;
      if (!(bad instanceof BadValue)) throw bad;
      const { field, problem } = bad;
      const refused = { problem, fields: badFields(fields, { field, problem }) };
      await reply.status(422).send(addPage(visit, { connector, fields, typed, refused }));
    }
  }

  /** Those that an ingestor has, and this release knows. */
  private async addable(): Promise<AddableConnector[]> {
    return (await this.connectors.list()).flatMap((record) => {
      const declaration = this.declared.find(({ code }) => code === record.id);
      return declaration === undefined ? [] : [{ ...record, declaration }];
    });
  }

  private async find(code: string): Promise<AddableConnector> {
    const connector = (await this.addable()).find(({ id }) => id === code);
    if (connector === undefined) throw new NotFoundException();
    return connector;
  }
}
