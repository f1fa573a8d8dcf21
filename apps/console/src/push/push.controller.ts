import { Body, Controller, Get, HttpCode, Inject, NotFoundException, Param, Post, Res } from '@nestjs/common';
import { AuditLog, CallAddresses, type Operator, WebhookCare, WebhookEndpoints } from '@passerelle/database';
import {
  MAX_WEBHOOK_URL_CHARACTERS,
  SecretBox,
  toWebhookUrl,
  WEBHOOK_EVENTS,
  WEBHOOK_URL_IN_WORDS,
} from '@passerelle/domain';
import {
  type Actor,
  addWebhook,
  type GatewayRow,
  Refused,
  removeWebhook,
  replayMessage,
  rotateWebhook,
  type SecretOfWebhook,
  testWebhook,
} from '@passerelle/operations';
import type { FastifyReply } from 'fastify';
import { type Fields, numberOf, textOf, wordOf, chosenOf } from '../access/form';
import { Needs, SignedIn } from '../access/operator.guard';
import { GatewayBoard } from '../board/gateway-board';
import type { ConsoleConfig } from '../config';
import { type Visit, Visiting } from '../layout/page';
import { CONFIG } from '../tokens';
import { type Push, PUSH_ACTS, pushPage, pushPath, secretPage } from './push-page';

const SHOWN_MESSAGES = 50;
const OVERLAP_SECONDS = 86_400;

interface Name {
  crm: string;
  client: string;
}

/** The webhooks of a gateway, what was sent to them, and the addresses at which its CRM calls. */
@Controller('gateways/:crm/:client/push')
export class PushController {
  private readonly box: SecretBox;
  private readonly allowPrivate: ReadonlySet<string>;

  constructor(
    private readonly board: GatewayBoard,
    private readonly callAddresses: CallAddresses,
    readonly webhookEndpoints: WebhookEndpoints,
    readonly webhookCare: WebhookCare,
    readonly audit: AuditLog,
    @Inject(CONFIG) { secretsKey, secretsKeyOld, allowPrivate }: ConsoleConfig,
  ) {
    this.box = new SecretBox(secretsKey, secretsKeyOld);
    this.allowPrivate = new Set(allowPrivate);
  }

  @Get()
  async show(@Visiting() visit: Visit, @Param() name: Name): Promise<string> {
    return pushPage(visit, await this.load(await this.find(name)));
  }

  /** Shows a secret that it has made, this once; or leads back to the page. */
  @Post()
  @HttpCode(200)
  @Needs('operator')
  async act(
    @Visiting() visit: Visit,
    @SignedIn() operator: Operator,
    @Param() name: Name,
    @Body() body: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const gateway = await this.find(name);
    const actor: Actor = { name: operator.name, through: 'console' };
    const url = textOf(body, 'url', MAX_WEBHOOK_URL_CHARACTERS);
    try {
      const made = await this.carryOut(visit, actor, gateway, body, url);
      if (made === null) await reply.redirect(pushPath(gateway), 303);
      else await reply.header('cache-control', 'no-store').send(secretPage(visit, gateway, made.secret));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const refused = { url, sentence: error.message };
      await reply.status(422).send(pushPage(visit, { ...(await this.load(gateway)), refused }));
    }
  }

  /** @returns the secret that was made; null for what makes none. @throws Refused */
  private async carryOut(
    { language }: Visit,
    actor: Actor,
    gateway: GatewayRow,
    body: Fields,
    typed: string,
  ): Promise<SecretOfWebhook | null> {
    const { push } = language.texts;
    const act = wordOf(body, 'act', PUSH_ACTS);
    if (act === 'add') {
      const url = toWebhookUrl(typed, this.allowPrivate);
      if (url === null) throw new Refused(push.badAddress(WEBHOOK_URL_IN_WORDS));
      const chosen = chosenOf(body, 'events', WEBHOOK_EVENTS);
      const events = chosen.length > 0 ? chosen : WEBHOOK_EVENTS;
      return addWebhook(this, actor, gateway, { url, events }, this.box);
    }
    const id = numberOf(textOf(body, 'id'));
    if (act === undefined || id === undefined) throw new Refused(push.badRequest);
    if (act === 'rotate') {
      return rotateWebhook(this, actor, gateway, { webhook: id, overlapSeconds: OVERLAP_SECONDS }, this.box);
    }
    if (act === 'remove') await removeWebhook(this, actor, gateway, id);
    else if (act === 'test') await testWebhook(this, gateway, id);
    else await replayMessage(this, gateway, id);
    return null;
  }

  private async load(gateway: GatewayRow): Promise<Push> {
    const [webhooks, deliveries, addresses, waiting] = await Promise.all([
      this.webhookEndpoints.list(gateway.id),
      this.webhookCare.log(gateway.id, SHOWN_MESSAGES),
      this.callAddresses.shown(gateway.id),
      this.callAddresses.waiting(gateway.id),
    ]);
    return { gateway, webhooks, deliveries, addresses, waiting };
  }

  private async find({ crm, client }: Name): Promise<GatewayRow> {
    const row = await this.board.find(crm, client);
    if (row === null) throw new NotFoundException();
    return row;
  }
}
