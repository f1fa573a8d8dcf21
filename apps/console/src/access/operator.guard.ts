import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  ForbiddenException,
  Inject,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Operator, Operators } from '@passerelle/database';
import { isRoleEnough, type OperatorRole } from '@passerelle/domain';
import type { FastifyRequest } from 'fastify';
import { CLOCK, type Clock, TRUSTED_HEADER } from '../tokens';
import { ProviderRoles } from './provider-roles';
import { openSession } from './session';
import type { TrustedHeader } from './trusted-header';

declare module 'fastify' {
  interface FastifyRequest {
    /** The operator of a request that the guard accepted. */
    operator?: Operator;
    /** The time of the request. */
    now?: Date;
  }
}

const NEEDED = 'needed-role';

/** A public route, without sign-in. */
export const ForEverybody = (): MethodDecorator & ClassDecorator => SetMetadata(NEEDED, 'nobody');
/** A route for this role and higher ones. Other routes are for viewers. */
export const Needs = (role: OperatorRole): MethodDecorator & ClassDecorator => SetMetadata(NEEDED, role);

export const SignedIn = createParamDecorator((_data: unknown, context: ExecutionContext): Operator => {
  const { operator } = context.switchToHttp().getRequest<FastifyRequest>();
  if (operator === undefined) throw new Error('this public route has no operator');
  return operator;
});

/** Not signed in: redirect to /sign-in. */
export class NotSignedIn extends Error {}

/** Lets in operators who are signed in and have the role. Session and role are read again for each request. */
@Injectable()
export class OperatorGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly operators: Operators,
    private readonly providerRoles: ProviderRoles,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(TRUSTED_HEADER) private readonly trustedHeader: TrustedHeader | null,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    const needed = this.reflector.getAllAndOverride<OperatorRole | 'nobody' | undefined>(NEEDED, targets) ?? 'viewer';
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    request.now = this.clock();
    const operator = await this.find(request, request.now);
    if (operator !== null) request.operator = operator;
    if (needed === 'nobody') return true;
    if (operator === null) throw new NotSignedIn();
    if (!isRoleEnough(operator.role, needed)) throw new ForbiddenException();
    return true;
  }

  private async find(request: FastifyRequest, now: Date): Promise<Operator | null> {
    const named = this.trustedHeader?.nameIn(request) ?? null;
    if (named !== null) {
      const operator = await this.operators.find(named);
      return operator?.disabledAt === null ? operator : null;
    }
    const session = openSession(request, now);
    if (session === null) return null;
    const operator = await this.operators.find(session.name);
    const isGood = operator?.disabledAt === null && operator.sessionEpoch === session.epoch;
    if (!isGood) return null;
    return session.isProvided ? this.providerRoles.renewed(operator, now) : operator;
  }
}
