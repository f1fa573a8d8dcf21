import { setTimeout as sleep } from 'node:timers/promises';
import { Body, Controller, Get, HttpCode, NotFoundException, Param, Post, Res } from '@nestjs/common';
import type { FeedTrial } from '@passerelle/connectors';
import { GatewayEdits, type GatewayEditState, type Operator } from '@passerelle/database';
import type { GatewayEdit } from '@passerelle/domain';
import { BadValues, type GatewayRow } from '@passerelle/operations';
import type { FastifyReply } from 'fastify';
import { checkedReason, type Fields, textOf } from '../access/form';
import { Needs, SignedIn } from '../access/operator.guard';
import { PageRefusal } from '../access/page-refusal';
import { GatewayBoard } from '../board/gateway-board';
import { AddedGateways } from '../connectors/added-gateways';
import { type AddableConnector, type RefusedField, refusedFields, typedOf } from '../connectors/add-form';
import { gatewayPath } from '../layout/elements';
import { type Visit, Visiting } from '../layout/page';
import { editDigest, editFieldsOf, parseEdit, shownValues } from './edit-form';
import { type EditForm, editPage } from './edit-page';

interface Name {
  crm: string;
  client: string;
}

/** An operator waits this long for a change; later the page of the gateway shows it. */
const CHANGE_PATIENCE_MS = 5_000;
/** A test ends within 20 seconds. */
const TEST_PATIENCE_MS = 25_000;
const POLL_MS = 150;

/** Changes and tests of a gateway. An ingestor carries them out, because the console cannot read stored secrets. */
@Controller('gateways/:crm/:client/edit')
export class EditController {
  constructor(
    private readonly board: GatewayBoard,
    private readonly added: AddedGateways,
    private readonly edits: GatewayEdits,
  ) {}

  @Get()
  @Needs('operator')
  async form(@Visiting() visit: Visit, @Param() name: Name): Promise<string> {
    const { row, connector } = await this.find(visit, name);
    const fields = editFieldsOf(connector);
    const removed = { credentials: false, settings: [] };
    return editPage(visit, { row, connector, fields, typed: shownValues(fields, row), removed, reason: '' });
  }

  @Post()
  @HttpCode(200)
  @Needs('operator')
  async edit(
    @Visiting() visit: Visit,
    @SignedIn() operator: Operator,
    @Param() name: Name,
    @Body() body: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { row, connector } = await this.find(visit, name);
    const reason = checkedReason(body, visit);
    const fields = editFieldsOf(connector);
    const removed = { credentials: textOf(body, 'remove-credentials') === '1', settings: namesIn(body['unset']) };
    const form: EditForm = { row, connector, fields, typed: typedOf(fields, body), removed, reason };
    const { editing } = visit.language.texts;
    const refuseFields = async (status: number, refused: readonly RefusedField[]): Promise<void> => {
      await reply.status(status).send(editPage(visit, { ...form, refused }));
    };
    const refuse = (status: number, problem: string): Promise<void> => refuseFields(status, [{ problem, fields: [] }]);
    let edit: GatewayEdit;
    try {
      edit = parseEdit(connector, fields, form.typed, removed, row, this.added.policy);
    } catch (error) {
      if (!(error instanceof BadValues)) throw error;
      return refuseFields(422, refusedFields(fields, error.values));
    }
    const isTest = textOf(body, 'act') === 'test';
    if (!isTest && textOf(body, 'shown', 40) !== editDigest(row)) return refuse(409, editing.meanwhile);
    if (!isTest && Object.keys(edit).length === 0) return refuse(422, editing.noChange);
    const result = await this.carryOut(row, isTest ? 'test' : 'change', edit, { operator, reason });
    if (result.state === 'failed') return refuse(409, result.error ?? '');
    if (isTest) {
      if (result.answer === null) return refuse(503, editing.slowTest);
      await reply.send(editPage(visit, { ...form, trial: JSON.parse(result.answer) as FeedTrial }));
      return;
    }
    this.board.forget();
    await reply.redirect(gatewayPath(row), 303);
  }

  /** @returns the state after the operator's patience, which may be `pending` */
  private async carryOut(
    { id }: GatewayRow,
    type: 'change' | 'test',
    edit: GatewayEdit,
    { operator, reason }: { operator: Operator; reason: string },
  ): Promise<GatewayEditState> {
    const data = { who: operator.name, through: 'console' as const, ...(reason !== '' && { reason }) };
    const editId = await this.edits.request(id, type, this.added.box.seal(JSON.stringify(edit)), data);
    const endMs = performance.now() + (type === 'test' ? TEST_PATIENCE_MS : CHANGE_PATIENCE_MS);
    for (;;) {
      const found = await this.edits.find(editId);
      if (found === null) throw new NotFoundException();
      if (found.state !== 'pending' || performance.now() > endMs) return found;
      await sleep(POLL_MS);
    }
  }

  private async find(visit: Visit, { crm, client }: Name): Promise<{ row: GatewayRow; connector: AddableConnector }> {
    const [row, addable] = await Promise.all([this.board.find(crm, client), this.added.addable()]);
    if (row === null) throw new NotFoundException();
    const connector = addable.find(({ id }) => id === crm);
    if (connector === undefined) throw new PageRefusal(visit.language.texts.editing.unknownConnector);
    return { row, connector };
  }
}

function namesIn(value: unknown): string[] {
  return [value].flat().filter((name): name is string => typeof name === 'string');
}
