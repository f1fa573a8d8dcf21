import { Controller, Get, Inject, NotFoundException, Query, Req, Res } from '@nestjs/common';
import { AuditLog, Operators, SignIns } from '@passerelle/database';
import { subnetOf } from '@passerelle/limits';
import { admitOperator, Refused } from '@passerelle/operations';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { type Visit, Visiting } from '../layout/page';
import { CLOCK, type Clock, LOGGER, PROVIDER } from '../tokens';
import { type Fields, textOf } from './form';
import { ForEverybody } from './operator.guard';
import type { ProvidedIdentity, Provider, ProviderFlow } from './provider';
import { ProviderRoles } from './provider-roles';
import { returnPath } from './return-path';
import { beginSession } from './session';
import { signInPage } from './sign-in-page';
import { SignInLimits } from './sign-in-limits';

const FLOW_SECONDS = 10 * 60;

declare module '@fastify/secure-session' {
  interface SessionData {
    /** The state of a sign-in at the provider, with the next page and the time when the browser left. */
    flow: ProviderFlow & { to: string; leftAt: number };
  }
}

/** Sign-in through an identity provider. Without it, passwords still work. */
@Controller('sign-in')
@ForEverybody()
export class ProviderController {
  constructor(
    @Inject(PROVIDER) private readonly provider: Provider | null,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly limits: SignInLimits,
    private readonly roles: ProviderRoles,
    private readonly signIns: SignIns,
    readonly operators: Operators,
    readonly audit: AuditLog,
  ) {}

  @Get('provider')
  async leave(
    @Visiting() visit: Visit,
    @Query() query: Fields,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const provider = this.known();
    const to = returnPath(textOf(query, 'to'));
    const { texts } = visit.language;
    const retrySeconds = this.limits.noteNetwork(request.ip);
    if (retrySeconds !== null) {
      this.log.warn({ address: request.ip }, 'too many attempts to sign in');
      await this.answer(visit, reply, 429, texts.signInTooMany(retrySeconds), to);
      return;
    }
    try {
      const { address, flow } = await provider.begin();
      request.session.set('flow', { ...flow, to, leftAt: this.clock().getTime() });
      await reply.redirect(address, 303);
    } catch (error) {
      this.log.error({ err: error, provider: provider.name }, 'the identity provider does not answer');
      await this.answer(visit, reply, 503, texts.access.away(provider.name), to);
    }
  }

  @Get('callback')
  async comeBack(@Visiting() visit: Visit, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const provider = this.known();
    const { access } = visit.language.texts;
    const flow = request.session.get('flow');
    // The state works only once.
    request.session.set('flow', undefined);
    const isOld = flow === undefined || this.clock().getTime() - flow.leftAt > FLOW_SECONDS * 1000;
    if (isOld) {
      await this.answer(visit, reply, 400, access.notBegun, '/');
      return;
    }
    let identity: ProvidedIdentity;
    try {
      identity = await provider.finish(request.url.split('?')[1] ?? '', flow);
    } catch (error) {
      this.log.warn({ err: error, provider: provider.name, address: request.ip }, 'sign-in failed');
      await this.answer(visit, reply, 502, access.failed(provider.name), flow.to);
      return;
    }
    await this.letIn(visit, identity, flow.to, request, reply);
  }

  private async letIn(
    visit: Visit,
    { subject, names, role, grant }: ProvidedIdentity,
    to: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const { access, signInWrong } = visit.language.texts;
    if (role === null) {
      this.log.warn({ operator: names[0], address: request.ip }, 'the provider gives the operator no role');
      // The provider gives this identity no role, so the sessions of the operator who used the identity end.
      const former = await this.operators.findSubject(subject);
      if (former !== null) await this.operators.endSessions(former.name);
      await this.answer(visit, reply, 403, access.noRole(names[0] ?? ''), to);
      return;
    }
    try {
      const operator = await admitOperator(this, { subject, names, role });
      if (operator.disabledAt !== null) {
        this.log.warn({ operator: operator.name, address: request.ip }, 'sign-in failed');
        await this.answer(visit, reply, 403, signInWrong, to);
        return;
      }
      await this.roles.storeGrant(operator.name, grant, this.clock());
      beginSession(request, operator, this.clock(), true);
      this.limits.forgiveNetwork(request.ip);
      await this.signIns.note(operator.name, subnetOf(request.ip));
      this.log.info({ operator: operator.name, address: request.ip }, 'an operator has signed in');
      await reply.redirect(to, 303);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await this.answer(visit, reply, 409, access.taken(names[0] ?? ''), to);
    }
  }

  private known(): Provider {
    if (this.provider === null) throw new NotFoundException();
    return this.provider;
  }

  private async answer(visit: Visit, reply: FastifyReply, status: number, trouble: string, to: string): Promise<void> {
    const provider = this.provider?.name;
    await reply.status(status).send(signInPage(visit, { to, trouble, ...(provider !== undefined && { provider }) }));
  }
}
