import { Body, Controller, Get, HttpCode, Inject, NotFoundException, Param, Post, Res } from '@nestjs/common';
import { GatewayExists, type Operator } from '@passerelle/database';
import { BadValue, BadValues, Refused } from '@passerelle/operations';
import type { FastifyReply } from 'fastify';
import { type Fields, textOf } from '../access/form';
import { Needs, SignedIn } from '../access/operator.guard';
import type { ConsoleConfig } from '../config';
import { type Visit, Visiting } from '../layout/page';
import { CONFIG } from '../tokens';
import { AddedGateways } from './added-gateways';
import { type AddableConnector, fieldsOf, parseWish, refusedFields, typedOf } from './add-form';
import { addedPage, addPage, choosePage } from './add-page';
import { Trials } from './trials';

/** Adds gateways, with forms made from the declarations of connectors. */
@Controller()
export class AddController {
  constructor(
    @Inject(CONFIG) private readonly config: ConsoleConfig,
    private readonly added: AddedGateways,
    private readonly trials: Trials,
  ) {}

  @Get('gateways/new')
  @Needs('operator')
  async choose(@Visiting() visit: Visit): Promise<string> {
    return choosePage(visit, await this.added.addable());
  }

  @Get('connectors/:code/add')
  @Needs('operator')
  async form(@Visiting() visit: Visit, @Param('code') code: string): Promise<string> {
    const connector = await this.find(code);
    return addPage(visit, { connector, fields: fieldsOf(connector), typed: new Map() });
  }

  /** Tries the feed, or adds the gateway and shows its key once, or names the invalid field. */
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
    const { inboxDir, allowPrivate } = this.config;
    try {
      const wish = parseWish(connector, fields, typed, this.added.policy);
      if (textOf(body, 'act') === 'try') {
        const trial = await this.trials.of(connector.declaration, { ...wish, inboxDir, allowPrivate });
        await reply.send(addPage(visit, { connector, fields, typed, trial }));
        return;
      }
      const key = await this.added.add(wish, name);
      await reply.send(addedPage(visit, wish, key));
    } catch (error) {
      if (error instanceof Refused) {
        const refused = [{ problem: error.message, fields: [] }];
        await reply.status(409).send(addPage(visit, { connector, fields, typed, refused }));
        return;
      }
      const isTaken = error instanceof GatewayExists;
      const bad = isTaken ? new BadValues([new BadValue('--client', error.message)]) : error;
      if (!(bad instanceof BadValues)) throw bad;
      const refused = refusedFields(fields, bad.values);
      await reply.status(422).send(addPage(visit, { connector, fields, typed, refused }));
    }
  }

  private async find(code: string): Promise<AddableConnector> {
    const connector = (await this.added.addable()).find(({ id }) => id === code);
    if (connector === undefined) throw new NotFoundException();
    return connector;
  }
}
