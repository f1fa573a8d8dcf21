import { Body, Controller, Inject, NotFoundException, Param, Post, Res } from '@nestjs/common';
import { AuditLog, FollowUps, type Operator, Operators } from '@passerelle/database';
import { type Actor, BadValues, endFollowUp, followUp } from '@passerelle/operations';
import type { FastifyReply } from 'fastify';
import { type Fields, textOf } from '../access/form';
import { Needs, SignedIn } from '../access/operator.guard';
import { PageRefusal } from '../access/page-refusal';
import { GatewayBoard } from '../board/gateway-board';
import { gatewayPath } from '../layout/elements';
import { type Visit, Visiting } from '../layout/page';
import { CLOCK, type Clock } from '../tokens';

/** Notes of operators about gateways in trouble. */
@Controller('gateways/:crm/:client/follow-up')
export class FollowUpsController {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly board: GatewayBoard,
    readonly followUps: FollowUps,
    readonly operators: Operators,
    readonly audit: AuditLog,
  ) {}

  @Post()
  @Needs('operator')
  async change(
    @Visiting() visit: Visit,
    @SignedIn() operator: Operator,
    @Param() { crm, client }: { crm: string; client: string },
    @Body() body: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const row = await this.board.find(crm, client);
    if (row === null) throw new NotFoundException();
    const actor: Actor = { name: operator.name, through: 'console' };
    if (textOf(body, 'act') === 'end') await endFollowUp(this, actor, row);
    else {
      const until = textOf(body, 'snooze', 40);
      const wish = {
        note: textOf(body, 'note'),
        assignee: textOf(body, 'assignee', 100),
        // Browsers send the time without a time zone; the field's label names the zone.
        snoozedUntil: until === '' ? null : new Date(`${until}Z`),
      };
      try {
        await followUp(this, actor, row, wish, this.clock());
      } catch (error) {
        if (!(error instanceof BadValues)) throw error;
        const { followUps, colon } = visit.language.texts;
        const problems = error.values.map(
          ({ field, problem }) =>
            `${followUps[field as 'note' | 'assignee' | 'snooze']}${colon}${visit.language.ofLibrary(problem)}`,
        );
        throw new PageRefusal(problems.join('. '), 422);
      }
    }
    this.board.forget();
    await reply.redirect(gatewayPath(row), 303);
  }
}
