import { Body, Controller, Get, Inject, NotFoundException, Param, Post, Res } from '@nestjs/common';
import { AuditLog, Connectors, type ListedPause, type Operator, Pauses } from '@passerelle/database';
import { toPausedHost } from '@passerelle/domain';
import { type Actor, pause, type PausedScope, Refused, resume } from '@passerelle/operations';
import type { Content } from '@passerelle/html';
import type { FastifyReply } from 'fastify';
import { checkedReason, type Fields, textOf } from '../access/form';
import { Needs, SignedIn } from '../access/operator.guard';
import { GatewayBoard } from '../board/gateway-board';
import { type Visit, Visiting } from '../layout/page';
import { said } from '../layout/elements';
import { NOTHING_TYPED, parsePause } from '../layout/pause-fields';
import { DECLARATIONS } from '../tokens';
import { connectorPage } from './connector-page';
import { type ConnectorList, connectorsPage, pausesShown, type RefusedPause } from './connectors-page';
import { connectorLines, type Declaration } from './known-connectors';

@Controller('connectors')
export class ConnectorsController {
  constructor(
    private readonly board: GatewayBoard,
    private readonly connectors: Connectors,
    @Inject(DECLARATIONS) private readonly declared: readonly Declaration[],
    readonly pauses: Pauses,
    readonly audit: AuditLog,
  ) {}

  @Get()
  async list(@Visiting() visit: Visit): Promise<string> {
    return connectorsPage(visit, await this.load());
  }

  @Get(':code')
  async show(@Visiting() visit: Visit, @Param('code') code: string): Promise<string> {
    const line = (await this.load()).lines.find(({ id }) => id === code);
    if (line === undefined) throw new NotFoundException();
    return connectorPage(visit, line);
  }

  /** If a pause exists that the page did not show, its terms stay. */
  @Post('pause')
  @Needs('operator')
  async pause(
    @Visiting() visit: Visit,
    @SignedIn() operator: Operator,
    @Body() body: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const [crm, host] = [textOf(body, 'crm', 64), textOf(body, 'host', 253)];
    const typed = { until: textOf(body, 'until'), reason: checkedReason(body, visit), crm, host };
    const refuse = async (status: 409 | 422, sentence: Content, wrong?: RefusedPause['wrong']): Promise<void> => {
      const refused = { ...typed, sentence, ...(wrong !== undefined && { wrong }) };
      await reply.status(status).send(connectorsPage(visit, { ...(await this.load()), refused }));
    };
    const wished = parsePause(visit, typed);
    if ('problem' in wished) return refuse(422, wished.problem, wished.wrong);
    const pauses = await this.pauses.list();
    const hasChanged = wasShownOtherwise(body, pauses);
    if (hasChanged && pauses.some((one) => isOf(one, { crm, host: toPausedHost(host) ?? '', client: '' }))) {
      return refuse(409, visit.language.texts.pausing.meanwhile);
    }
    try {
      await pause(this, actorOf(operator), toScope(crm, host), wished);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return refuse(422, said(visit, error.message));
    }
    this.board.forget();
    await reply.redirect('/connectors', 303);
  }

  @Post('resume')
  @Needs('operator')
  async resume(
    @Visiting() visit: Visit,
    @SignedIn() operator: Operator,
    @Body() body: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const [crm, host] = [textOf(body, 'crm', 64), textOf(body, 'host', 253)];
    const client = textOf(body, 'client', 64);
    const paused = (await this.pauses.list()).find((one) => isOf(one, { crm, host, client }));
    if (paused !== undefined && wasShownOtherwise(body, [paused])) {
      const refused = { ...NOTHING_TYPED, crm: '', host: '', sentence: visit.language.texts.pausing.meanwhile };
      await reply.status(409).send(connectorsPage(visit, { ...(await this.load()), refused }));
      return;
    }
    const gateway = client === '' ? null : await this.board.find(crm, client);
    if (client !== '' && gateway === null) throw new NotFoundException();
    await resume(this, actorOf(operator), gateway === null ? toScope(crm, host) : { gateway });
    this.board.forget();
    await reply.redirect('/connectors', 303);
  }

  private async load(): Promise<ConnectorList> {
    const [registered, gateways, outcomes, pauses] = await Promise.all([
      this.connectors.list(),
      this.board.table(),
      this.board.outcomes(),
      this.pauses.list(),
    ]);
    const byConnector = gateways.byConnector();
    return { lines: connectorLines({ registered, declared: this.declared, byConnector, outcomes, pauses }), pauses };
  }
}

/** Whether the pauses have changed since the page showed its form; false for a form without pauses. */
function wasShownOtherwise(body: Fields, pauses: readonly ListedPause[]): boolean {
  const shown = textOf(body, 'shown', 40);
  return shown !== '' && shown !== pausesShown(pauses);
}

function isOf(pause: ListedPause, part: { crm: string; host: string; client: string }): boolean {
  return (['crm', 'host', 'client'] as const).every((name) => (pause[name] ?? '') === part[name]);
}

function toScope(crm: string, host: string): PausedScope {
  return { ...(crm !== '' && { crm }), ...(host !== '' && { host }) };
}

function actorOf({ name }: Operator): Actor {
  return { name, through: 'console' };
}
