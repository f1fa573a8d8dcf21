import { Body, Controller, Get, HttpCode, NotFoundException, Param, Post, Res } from '@nestjs/common';
import { AuditLog, ExportTokens, Gateways, GatewaySummaries, type Operator, Placements } from '@passerelle/database';
import { generateApiKey, KEY_SCOPES } from '@passerelle/domain';
import {
  type Actor,
  type GatewayRow,
  makeExportToken,
  Refused,
  removeGateway,
  revokeExportToken,
  revokeKey,
  rotateKey,
} from '@passerelle/operations';
import type { FastifyReply } from 'fastify';
import { checkedReason, type Fields, numberOf, textOf, wordOf } from '../access/form';
import { Needs, SignedIn } from '../access/operator.guard';
import { GatewayBoard } from '../board/gateway-board';
import { AddedGateways } from '../connectors/added-gateways';
import { type Visit, Visiting } from '../layout/page';
import { DEFAULT_OVERLAP_SECONDS, keysPage, type KeysToShow, OVERLAPS_SECONDS, removePage } from './keys-page';

interface Name {
  crm: string;
  client: string;
}

const ACTS = ['rotate', 'revoke', 'make', 'revoke-token'] as const;

/** Keys and tokens of a gateway, and its removal. */
@Controller('gateways/:crm/:client')
export class KeysController {
  constructor(
    private readonly board: GatewayBoard,
    private readonly added: AddedGateways,
    private readonly summaries: GatewaySummaries,
    readonly exportTokens: ExportTokens,
    readonly gateways: Gateways,
    readonly placements: Placements,
    readonly audit: AuditLog,
  ) {}

  @Get('keys')
  async keys(@Visiting() visit: Visit, @Param() name: Name): Promise<string> {
    return keysPage(visit, await this.load(await this.find(name)));
  }

  /** A new key or token is shown only in this answer. */
  @Post('keys')
  @HttpCode(200)
  @Needs('operator')
  async act(
    @Visiting() visit: Visit,
    @SignedIn() operator: Operator,
    @Param() name: Name,
    @Body() body: Fields,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const row = await this.find(name);
    const act = wordOf(body, 'act', ACTS);
    if (act === undefined) throw new Refused('the form contains no valid action');
    const { keys } = visit.language.texts.editing;
    const isRevocation = act === 'revoke' || act === 'revoke-token';
    if (isRevocation && textOf(body, 'sure') !== '1') {
      void reply.status(422);
      return keysPage(visit, { ...(await this.load(row)), refused: { sentence: keys.notConfirmed } });
    }
    try {
      const made = await this.carryOut(row, act, body, { name: operator.name, through: 'console' });
      const shown = await this.load(row);
      return keysPage(visit, made === null ? shown : { ...shown, made });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      void reply.status(409);
      return keysPage(visit, { ...(await this.load(row)), refused: { sentence: error.message } });
    }
  }

  @Get('remove')
  @Needs('admin')
  async confirmRemoval(@Visiting() visit: Visit, @Param() name: Name): Promise<string> {
    return removePage(visit, await this.find(name));
  }

  @Post('remove')
  @Needs('admin')
  async remove(
    @Visiting() visit: Visit,
    @SignedIn() operator: Operator,
    @Param() name: Name,
    @Body() body: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const row = await this.find(name);
    const reason = checkedReason(body, visit);
    if (textOf(body, 'name', 200) !== `${row.crm}/${row.client}`) {
      await reply.status(422).send(removePage(visit, row, visit.language.texts.editing.remove.wrong));
      return;
    }
    const keys = (await this.summaries.keys(row.id)).length;
    const wish = { listings: row.listings, keys, withLeads: textOf(body, 'with-leads') === '1', leaveAdverts: false };
    try {
      const why = reason === '' ? {} : { reason };
      await removeGateway(this, { name: operator.name, through: 'console' }, row, { ...wish, ...why });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await reply.status(409).send(removePage(visit, row, error.message));
      return;
    }
    this.board.forget();
    await reply.redirect('/gateways', 303);
  }

  private async carryOut(
    row: GatewayRow,
    act: (typeof ACTS)[number],
    body: Fields,
    actor: Actor,
  ): Promise<NonNullable<KeysToShow['made']> | null> {
    const id = numberOf(textOf(body, 'id', 20)) ?? 0;
    const { hashes } = this.added;
    if (act === 'make') {
      const token = await makeExportToken(this, actor, row, hashes);
      return { what: 'newToken', secret: `/v1/export/kyero.xml?token=${token}` };
    }
    if (act === 'revoke-token') {
      await revokeExportToken(this, actor, row, id);
      return null;
    }
    const keys = await this.summaries.keys(row.id);
    if (act === 'revoke') {
      const prefix = keys.find((key) => key.id === id)?.prefix;
      await revokeKey(this, actor, row, { keyId: id, ...(prefix !== undefined && { prefix }) });
      return null;
    }
    const key = generateApiKey();
    const scope = wordOf(body, 'scope', KEY_SCOPES);
    const wanted = Number(textOf(body, 'overlap', 12) || NaN);
    const overlapSeconds = OVERLAPS_SECONDS.find((seconds) => seconds === wanted) ?? DEFAULT_OVERLAP_SECONDS;
    const wish = { key, overlapSeconds, terms: scope === undefined ? {} : { scope } };
    await rotateKey(this, actor, { ...row, keys }, wish, hashes, new Date());
    return { what: 'newKey', secret: key };
  }

  private async load(row: GatewayRow): Promise<KeysToShow> {
    const [keys, tokens] = await Promise.all([this.summaries.keys(row.id), this.exportTokens.list(row.id)]);
    return { row, keys, tokens };
  }

  private async find({ crm, client }: Name): Promise<GatewayRow> {
    const row = await this.board.find(crm, client);
    if (row === null) throw new NotFoundException();
    return row;
  }
}
