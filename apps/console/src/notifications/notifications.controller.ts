import { Body, Controller, Get, HttpCode, Inject, Post, Res } from '@nestjs/common';
import { AuditLog, NotificationChannels, type Operator } from '@passerelle/database';
import { CHANNEL_KINDS, NOTIFICATION_EVENTS } from '@passerelle/domain';
import {
  type Actor,
  addChannel,
  addRule,
  Refused,
  removeChannel,
  removeRule,
  testChannel,
} from '@passerelle/operations';
import type { FastifyReply } from 'fastify';
import { chosenOf, type Fields, numberOf, textOf, wordOf } from '../access/form';
import { Needs, SignedIn } from '../access/operator.guard';
import type { ConsoleConfig } from '../config';
import { AddedGateways } from '../connectors/added-gateways';
import { type Visit, Visiting } from '../layout/page';
import { CONFIG } from '../tokens';
import { notificationsPage, type NotificationsToShow } from './notifications-page';

const ACTS = ['add-channel', 'remove-channel', 'test', 'add-rule', 'remove-rule'] as const;
const MOST_FAILURES = 100;
const MOST_HOURS = 720;
const HOUR_SECONDS = 3_600;

/** Channels and rules of notifications to operators. */
@Controller('notifications')
export class NotificationsController {
  constructor(
    @Inject(CONFIG) private readonly config: ConsoleConfig,
    private readonly added: AddedGateways,
    readonly notificationChannels: NotificationChannels,
    readonly audit: AuditLog,
  ) {}

  @Get()
  async show(@Visiting() visit: Visit): Promise<string> {
    return notificationsPage(visit, await this.load());
  }

  /** The secret of a new webhook is shown only in this answer. */
  @Post()
  @HttpCode(200)
  @Needs('operator')
  async act(
    @Visiting() visit: Visit,
    @SignedIn() operator: Operator,
    @Body() body: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const actor: Actor = { name: operator.name, through: 'console' };
    try {
      const more = await this.carryOut(visit, actor, body);
      if (more === null) await reply.redirect('/notifications', 303);
      else await reply.send(notificationsPage(visit, { ...(await this.load()), ...more }));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const refused = { sentence: error.message, typed: (name: string) => textOf(body, name, 2_000) };
      await reply.status(422).send(notificationsPage(visit, { ...(await this.load()), refused }));
    }
  }

  /** @returns what the page shows besides the lists; null for a redirect. @throws Refused */
  private async carryOut(
    visit: Visit,
    actor: Actor,
    body: Fields,
  ): Promise<Pick<NotificationsToShow, 'secret' | 'isTested'> | null> {
    const act = wordOf(body, 'act', ACTS);
    const id = numberOf(textOf(body, 'id', 20)) ?? 0;
    switch (act) {
      case 'add-channel': {
        const kind = wordOf(body, 'kind', CHANNEL_KINDS) ?? 'email';
        const quiet = textOf(body, 'quiet', 20);
        const wanted = { kind, address: textOf(body, 'address', 2_000), quiet: quiet === '' ? null : quiet };
        const allowPrivate = new Set(this.config.allowPrivate);
        const { secret } = await addChannel(this, actor, wanted, this.added.box, allowPrivate);
        return secret === null ? null : { secret };
      }
      case 'remove-channel':
        await removeChannel(this, actor, id);
        return null;
      case 'test':
        await testChannel(this, id);
        return { isTested: true };
      case 'add-rule':
        await this.addRules(visit, actor, body);
        return null;
      case 'remove-rule':
        await removeRule(this, actor, id);
        return null;
      case undefined:
        throw new Refused('the form contains no valid action');
    }
  }

  private async addRules({ language: { texts } }: Visit, actor: Actor, body: Fields): Promise<void> {
    const { notifications } = texts;
    const events = chosenOf(body, 'event', NOTIFICATION_EVENTS);
    if (events.length === 0) throw new Refused(notifications.noEvent);
    const afterFailures = numberOf(textOf(body, 'after', 20) || '1') ?? NaN;
    const typedHours = textOf(body, 'repeat', 20) || '6';
    const hours = typedHours === '0' ? 0 : (numberOf(typedHours) ?? NaN);
    if (!(afterFailures <= MOST_FAILURES && hours <= MOST_HOURS)) throw new Refused(notifications.wrongNumber);
    const [crm, client] = [textOf(body, 'crm', 64), textOf(body, 'client', 64)];
    const about = { crm: crm === '' ? null : crm, client: client === '' ? null : client };
    const channelId = numberOf(textOf(body, 'channel', 20)) ?? 0;
    const repeatSeconds = hours === 0 ? null : hours * HOUR_SECONDS;
    for (const event of events)
      await addRule(this, actor, { ...{ channelId, event, ...about, afterFailures }, repeatSeconds });
  }

  private async load(): Promise<Pick<NotificationsToShow, 'channels' | 'rules'>> {
    const [channels, rules] = await Promise.all([this.notificationChannels.list(), this.notificationChannels.rules()]);
    return { channels, rules };
  }
}
