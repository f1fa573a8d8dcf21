import { Inject, Injectable } from '@nestjs/common';
import {
  type ConnectorRegistry,
  type OutgoingLead,
  OutboundPosts,
  PLAIN_LEAD,
  PostFailed,
} from '@passerelle/connectors';
import { LeadDeliveries, type TakenLead } from '@passerelle/database';
import { FeedError, type Lead, type Listing, pauseBeforeLeadMs, SecretBox } from '@passerelle/domain';
import type { Logger } from 'pino';
import type { IngestorConfig } from '../config';
import { SourceSecrets } from '../ingest/source-secrets';
import { LOGGER, REGISTRY, LEAD_POSTS, SECRET_BOX } from '../tokens';
import { Mailer, MailFailed } from './mailer';

const TIMEOUT_MS = 15_000;
/** The answers of APIs are read, not shown. */
const READ_CHARACTERS = 100_000;
const ADDRESS_SETTING = 'lead-email';

export function leadPosts({ allowPrivateSources }: Pick<IngestorConfig, 'allowPrivateSources'>): OutboundPosts {
  return new OutboundPosts({
    ...{ allowPrivate: allowPrivateSources, timeoutMs: TIMEOUT_MS, maxCharacters: READ_CHARACTERS },
  });
}

/** It cannot be delivered as things are: somebody must set something. It waits all the same. */
class Undeliverable extends Error {
  override readonly name = 'Undeliverable';
}

/** Brings leads to agencies: into their CRM by its API, or by e-mail in the form that it reads. */
@Injectable()
export class LeadSender {
  constructor(
    private readonly deliveries: LeadDeliveries,
    private readonly mailer: Mailer,
    private readonly secrets: SourceSecrets,
    @Inject(LEAD_POSTS) private readonly posts: OutboundPosts,
    @Inject(REGISTRY) private readonly registry: ConnectorRegistry,
    @Inject(SECRET_BOX) private readonly box: SecretBox | null,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Tries one lead, and notes what came of it. @param shutdown ends a request that is under way. */
  async deliver(taken: TakenLead, shutdown: AbortSignal): Promise<void> {
    const { id, crm, client, tries } = taken;
    try {
      await this.deliveries.noteDelivered(taken, await this.send(taken, shutdown));
    } catch (error) {
      if (!isExpected(error)) this.log.error({ err: error, lead: id }, 'a lead could not be delivered');
      else this.log.warn({ lead: id, crm, client, reason: error.message }, 'a lead waits');
      const sentence = isExpected(error)
        ? error.message
        : 'it could not be delivered: the log of the ingestor says why';
      await this.deliveries.noteFailed(taken, sentence, pauseBeforeLeadMs(tries + 1));
    }
  }

  /** @returns how it went. */
  private async send(taken: TakenLead, shutdown: AbortSignal): Promise<'email' | 'api'> {
    const lead = this.opened(taken);
    const source = this.secrets.open(taken);
    const verb = this.registry.get(taken.crm)?.lead ?? PLAIN_LEAD;
    const address = source.settings[ADDRESS_SETTING] ?? '';
    if (verb.kind === 'api' && address === '') {
      const { url, headers = {}, body = '' } = verb.request(lead, source, new Date());
      const answer = await this.posts.post(
        url,
        { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        body,
        shutdown,
      );
      if (answer.status < 200 || answer.status >= 300)
        throw new Undeliverable(`the API of the CRM answered ${answer.status}`);
      verb.confirm(parsed(answer.text), source);
      return 'api';
    }
    await this.sendByEmail(lead, verb.kind === 'email' ? verb : PLAIN_LEAD, address);
    return 'email';
  }

  private async sendByEmail(lead: OutgoingLead, verb: typeof PLAIN_LEAD, address: string): Promise<void> {
    const to = address === '' ? (lead.listing.negoEmail ?? '') : address;
    if (to === '' || verb.kind !== 'email') {
      throw new Undeliverable(`there is no address to send it to: set "${ADDRESS_SETTING}" of the gateway`);
    }
    const { id, email } = lead;
    await this.mailer.send({ ...verb.compose(lead), to, id, ...(email !== undefined && { replyTo: email }) });
  }

  private opened({ token, receivedAt, sealed, affId, listing }: TakenLead): OutgoingLead {
    if (this.box === null) throw new Undeliverable('this ingestor has no SECRETS_KEY to read leads with');
    let text: string;
    try {
      text = this.box.open(sealed);
    } catch (cause) {
      throw new Undeliverable('it was sealed with another SECRETS_KEY than this ingestor has', { cause });
    }
    return {
      ...(JSON.parse(text) as Lead),
      ...{ id: token, receivedAt, listing: listing === null ? {} : (JSON.parse(listing) as Listing) },
      ...(affId !== null && { affId }),
    };
  }
}

function isExpected(error: unknown): error is Error {
  return [Undeliverable, MailFailed, PostFailed, FeedError].some((kind) => error instanceof kind);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Undeliverable('the API of the CRM answered with something that is no JSON');
  }
}
