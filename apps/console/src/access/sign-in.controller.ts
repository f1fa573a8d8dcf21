import { Body, Controller, Get, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { type Operator, Operators, SignIns } from '@passerelle/database';
import { hashPassword, isPassword, signInTokenDigest } from '@passerelle/domain';
import { subnetOf } from '@passerelle/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { ConsoleConfig } from '../config';
import { LANGUAGE_COOKIE } from '../language/language';
import { type Visit, Visiting } from '../layout/page';
import { CLOCK, type Clock, CONFIG, LOGGER, PROVIDER } from '../tokens';
import { type Fields, textOf } from './form';
import { ForEverybody } from './operator.guard';
import type { Provider } from './provider';
import { returnPath } from './return-path';
import { beginSession } from './session';
import { linkPage, type SignInForm, signInPage } from './sign-in-page';
import { SignInLimits } from './sign-in-limits';

@Controller()
@ForEverybody()
export class SignInController {
  /** Hash for unknown names: a wrong name must take as long as a wrong password. */
  private readonly nobody = hashPassword('');

  constructor(
    @Inject(CONFIG) private readonly config: ConsoleConfig,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(PROVIDER) private readonly provider: Provider | null,
    private readonly operators: Operators,
    private readonly signIns: SignIns,
    private readonly limits: SignInLimits,
  ) {}

  @Get('sign-in')
  async form(@Visiting() visit: Visit, @Query() query: Fields): Promise<string> {
    const token = textOf(query, 'token', 1_000);
    const operator = token === '' ? null : await this.signIns.findLink(signInTokenDigest(token));
    if (operator !== null) return linkPage(visit, operator.name, token);
    const trouble = token === '' ? {} : { trouble: visit.language.texts.signInLinkOver };
    return this.page(visit, { to: returnPath(textOf(query, 'to')), ...trouble });
  }

  @Post('sign-in')
  async signIn(
    @Visiting() visit: Visit,
    @Body() body: Fields,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { texts } = visit.language;
    const name = textOf(body, 'name', 64);
    const to = returnPath(textOf(body, 'to'));
    const refused = await this.limits.note(request.ip, name);
    if (refused !== null) {
      const { retrySeconds, isPaused } = refused;
      this.log.warn({ operator: name, address: request.ip, isPaused }, 'too many attempts to sign in');
      const trouble = isPaused ? texts.signInPaused(Math.ceil(retrySeconds / 60)) : texts.signInTooMany(retrySeconds);
      await reply.status(429).header('retry-after', retrySeconds).send(this.page(visit, { name, to, trouble }));
      return;
    }
    const password = body['password'];
    const stored = await this.operators.passwordHash(name);
    const isRight = await isPassword(typeof password === 'string' ? password : '', stored ?? (await this.nobody));
    const operator = isRight && stored !== null ? await this.operators.find(name) : null;
    if (operator?.disabledAt !== null) {
      this.log.warn({ operator: name, address: request.ip }, 'sign-in failed');
      await reply.status(401).send(this.page(visit, { name, to, trouble: texts.signInWrong }));
      return;
    }
    this.limits.forgive(request.ip, name);
    await this.letIn(operator, to, request, reply);
  }

  @Post('sign-in/link')
  async signInByLink(
    @Visiting() visit: Visit,
    @Body() body: Fields,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const operator = await this.signIns.useLink(signInTokenDigest(textOf(body, 'token', 1_000)));
    if (operator === null) {
      const trouble = visit.language.texts.signInLinkOver;
      await reply.status(401).send(this.page(visit, { to: '/', trouble }));
      return;
    }
    await this.letIn(operator, '/', request, reply);
  }

  @Post('sign-out')
  async signOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    // Makes every copy of the cookie invalid.
    if (request.operator !== undefined) await this.operators.endSessions(request.operator.name);
    request.session.delete();
    await reply.redirect('/sign-in', 303);
  }

  /** Changes the language, which is kept in a separate cookie. */
  @Get('language')
  async language(@Query() query: Fields, @Res() reply: FastifyReply): Promise<void> {
    const code = textOf(query, 'code') === 'fr' ? 'fr' : 'en';
    const secure = this.config.url.startsWith('https:');
    const year = 365 * 86_400;
    reply.setCookie(LANGUAGE_COOKIE, code, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: year });
    await reply.redirect(returnPath(textOf(query, 'to')), 303);
  }

  private page(visit: Visit, form: Omit<SignInForm, 'provider'>): string {
    return signInPage(visit, { ...form, ...(this.provider !== null && { provider: this.provider.name }) });
  }

  private async letIn(operator: Operator, to: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    beginSession(request, operator, this.clock());
    await this.signIns.note(operator.name, subnetOf(request.ip));
    this.log.info({ operator: operator.name, address: request.ip }, 'an operator has signed in');
    await reply.redirect(to, 303);
  }
}
