import { Body, Controller, Get, HttpCode, Inject, NotFoundException, Param, Post, Res } from '@nestjs/common';
import type { Connector } from '@passerelle/connectors';
import {
  AuditLog,
  InboundWebhookUrls,
  type Operator,
  OutboxLog,
  WebhookAdmin,
  WebhookEndpoints,
} from '@passerelle/database';
import {
  type WebhookProof,
  MAX_WEBHOOK_URL_CHARACTERS,
  SecretBox,
  toWebhookUrl,
  LIST_EVENTS,
  WEBHOOK_EVENTS,
  WEBHOOK_URL_IN_WORDS,
} from '@passerelle/domain';
import {
  type Actor,
  addWebhook,
  BadValue,
  closeInboundWebhookUrl,
  type GatewayRow,
  openInboundWebhookUrl,
  Refused,
  removeWebhook,
  replayMessage,
  rotateWebhook,
  testWebhook,
} from '@passerelle/operations';
import type { FastifyReply } from 'fastify';
import { type Fields, numberOf, textOf, wordOf, chosenOf } from '../access/form';
import { Needs, SignedIn } from '../access/operator.guard';
import { GatewayBoard } from '../board/gateway-board';
import type { ConsoleConfig } from '../config';
import { type Visit, Visiting } from '../layout/page';
import type { Texts } from '../language/en';
import { CONFIG, DECLARATIONS } from '../tokens';
import { OVERLAP_DAYS, USUAL_OVERLAP } from './inbound-webhooks-section';
import { type Push, PUSH_ACTS, pushPage, pushPath, secretPage, type TypedPush } from './push-page';

const SHOWN_MESSAGES = 50;
const DAY_SECONDS = 86_400;

interface Name {
  crm: string;
  client: string;
}

@Controller('gateways/:crm/:client/push')
export class PushController {
  private readonly box: SecretBox;
  private readonly allowPrivate: ReadonlySet<string>;

  constructor(
    private readonly board: GatewayBoard,
    readonly inboundWebhookUrls: InboundWebhookUrls,
    readonly webhookEndpoints: WebhookEndpoints,
    readonly webhookAdmin: WebhookAdmin,
    private readonly outboxLog: OutboxLog,
    readonly audit: AuditLog,
    @Inject(DECLARATIONS) private readonly declared: readonly Connector[],
    @Inject(CONFIG) { secretsKey, secretsKeyOld, allowPrivate }: ConsoleConfig,
  ) {
    this.box = new SecretBox(secretsKey, secretsKeyOld);
    this.allowPrivate = new Set(allowPrivate);
  }

  @Get()
  async show(@Visiting() visit: Visit, @Param() name: Name): Promise<string> {
    return pushPage(visit, await this.load(await this.find(name)));
  }

  /** Shows a generated secret once; or redirects to the page. */
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
    const typed = typedIn(body);
    try {
      const made = await this.carryOut(visit, actor, gateway, body, typed);
      if (made === null) await reply.redirect(pushPath(gateway), 303);
      else await reply.header('cache-control', 'no-store').send(secretPage(visit, gateway, made));
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof BadValue)) throw error;
      const refused = { ...typed, sentence: sentenceOf(visit, error) };
      await reply.status(422).send(pushPage(visit, { ...(await this.load(gateway)), refused }));
    }
  }

  /** @returns generated secrets by name, to show once; else null. @throws Refused, BadValue */
  private async carryOut(
    { language }: Visit,
    actor: Actor,
    gateway: GatewayRow,
    body: Fields,
    typed: TypedPush,
  ): Promise<[name: string, secret: string][] | null> {
    const { push } = language.texts;
    const act = wordOf(body, 'act', PUSH_ACTS);
    if (act === 'add') {
      const url = toWebhookUrl(typed.url, this.allowPrivate);
      if (url === null) throw new Refused(push.badAddress(language.ofLibrary(WEBHOOK_URL_IN_WORDS)));
      const events = typed.events.length > 0 ? typed.events : LIST_EVENTS;
      return [[push.secret, (await addWebhook(this, actor, gateway, { url, events }, this.box)).secret]];
    }
    if (act === 'open') return this.open(push, actor, gateway, typed);
    const id = numberOf(textOf(body, 'id'));
    if (act === undefined || id === undefined) throw new Refused(push.badRequest);
    if (act === 'rotate') {
      const wish = { webhook: id, overlapSeconds: DAY_SECONDS };
      return [[push.secret, (await rotateWebhook(this, actor, gateway, wish, this.box)).secret]];
    }
    if (act === 'remove') await removeWebhook(this, actor, gateway, id);
    else if (act === 'close') await closeInboundWebhookUrl(this, actor, gateway, id);
    else if (act === 'test') await testWebhook(this, gateway, id);
    else await replayMessage(this, gateway, id);
    return null;
  }

  private async open(
    push: Texts['push'],
    actor: Actor,
    gateway: GatewayRow,
    { secret: own, overlap }: TypedPush,
  ): Promise<[name: string, secret: string][]> {
    const proof = this.proofOf(gateway.crm);
    if (proof === null) throw new Refused(push.noCalls);
    const wish = { proof, overlapSeconds: Number(overlap) * DAY_SECONDS, ...(own !== '' && { own }) };
    const { path, secret } = await openInboundWebhookUrl(this, actor, gateway, wish, () => this.box);
    return [[push.opened, path], ...(secret === undefined ? [] : [[push.callSecret, secret] as [string, string]])];
  }

  private proofOf(crm: string): WebhookProof | null {
    const fetch = this.declared.find(({ code }) => code === crm)?.fetch;
    return fetch?.kind === 'pushed' ? fetch.webhook.proof : null;
  }

  private async load(gateway: GatewayRow): Promise<Push> {
    const [webhooks, deliveries, addresses, waiting] = await Promise.all([
      this.webhookEndpoints.list(gateway.id),
      this.outboxLog.ofGateway(gateway.id, SHOWN_MESSAGES),
      this.inboundWebhookUrls.shown(gateway.id),
      this.inboundWebhookUrls.waiting(gateway.id),
    ]);
    return { gateway, webhooks, deliveries, addresses, waiting, proof: this.proofOf(gateway.crm) };
  }

  private async find({ crm, client }: Name): Promise<GatewayRow> {
    const row = await this.board.find(crm, client);
    if (row === null) throw new NotFoundException();
    return row;
  }
}

function typedIn(body: Fields): TypedPush {
  return {
    url: textOf(body, 'url', MAX_WEBHOOK_URL_CHARACTERS),
    events: chosenOf(body, 'events', WEBHOOK_EVENTS),
    secret: textOf(body, 'secret'),
    overlap: wordOf(body, 'overlap', OVERLAP_DAYS) ?? USUAL_OVERLAP,
  };
}

/** The error of an invalid value, with the name of its field on the page. */
function sentenceOf({ language }: Visit, error: Refused | BadValue): string {
  if (error instanceof Refused) return language.ofLibrary(error.message);
  return `${language.texts.push.callSecret} ${language.ofLibrary(error.problem)}`;
}
