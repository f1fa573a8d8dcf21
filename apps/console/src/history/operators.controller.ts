import { Body, Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import { AuditLog, type Operator, Operators } from '@passerelle/database';
import { OPERATOR_ROLES } from '@passerelle/domain';
import {
  type Actor,
  addOperator,
  changePassword,
  Refused,
  removeOperator,
  setOperatorDisabled,
  setRole,
} from '@passerelle/operations';
import type { FastifyReply } from 'fastify';
import { type Fields, textOf, wordOf } from '../access/form';
import { Needs, SignedIn } from '../access/operator.guard';
import { type Visit, Visiting } from '../layout/page';
import { operatorsPage } from './operators-page';

/** The operators. */
@Controller('operators')
export class OperatorsController {
  constructor(
    readonly operators: Operators,
    readonly audit: AuditLog,
  ) {}

  @Get()
  async list(@Visiting() visit: Visit): Promise<string> {
    return operatorsPage(visit, { operators: await this.operators.list() });
  }

  @Post('add')
  @HttpCode(200)
  @Needs('admin')
  async add(
    @Visiting() visit: Visit,
    @SignedIn() admin: Operator,
    @Body() body: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const name = textOf(body, 'name', 100);
    const role = wordOf(body, 'role', OPERATOR_ROLES) ?? 'viewer';
    try {
      const password = await addOperator(this, actorOf(admin), name, role);
      await reply.send(operatorsPage(visit, { operators: await this.operators.list(), made: { name, password } }));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const refused = { name, sentence: error.message };
      await reply.status(422).send(operatorsPage(visit, { operators: await this.operators.list(), refused }));
    }
  }

  @Post('change')
  @HttpCode(200)
  @Needs('admin')
  async change(
    @Visiting() visit: Visit,
    @SignedIn() admin: Operator,
    @Body() body: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const name = textOf(body, 'name', 100);
    const act = wordOf(body, 'act', ['enable', 'disable', 'passwd', 'role', 'remove'] as const);
    if (act === undefined) throw new Refused('the form contains no valid action');
    if (act === 'disable' && name === admin.name) throw new Refused('operators cannot disable themselves');
    if (act === 'passwd') {
      const password = await changePassword(this, actorOf(admin), name);
      await reply.send(operatorsPage(visit, { operators: await this.operators.list(), made: { name, password } }));
      return;
    }
    if (act === 'role') {
      const role = wordOf(body, 'role', OPERATOR_ROLES);
      if (role === undefined) throw new Refused('the form contains no valid role');
      await setRole(this, actorOf(admin), name, role);
    } else if (act === 'remove') await removeOperator(this, actorOf(admin), name);
    else await setOperatorDisabled(this, actorOf(admin), name, act === 'disable');
    await reply.redirect('/operators', 303);
  }
}

function actorOf({ name }: Operator): Actor {
  return { name, through: 'console' };
}
