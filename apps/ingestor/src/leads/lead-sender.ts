import { Inject, Injectable } from '@nestjs/common';
import {
  type ConnectorRegistry,
  type LeadVerb,
  type OutgoingLead,
  OutboundPosts,
  PLAIN_LEAD,
  PostFailed,
  type SourceConfig,
} from '@passerelle/connectors';
import { LeadDeliveries, type TakenLead } from '@passerelle/database';
import { AccessRefused, FeedError, type Lead, type Listing, pauseBeforeLeadMs, SecretBox } from '@passerelle/domain';
import type { Logger } from 'pino';
import type { IngestorConfig } from '../config';
import { SourceSecrets } from '../ingest/source-secrets';
import { LOGGER, REGISTRY, LEAD_POSTS, SECRET_BOX } from '../tokens';
import { Mailer, MailFailed } from './mailer';

const TIMEOUT_MS = 15_000;
/** The answers of APIs are read, not shown. */
const READ_CHARACTERS = 100_000;
const ADDRESS_SETTING = 'lead-email';
/** After so long without the API of the CRM, an e-mail goes to the agent of the listing. */
const PATIENCE_MS = 3_600_000;
const LATE = 'a lead goes by e-mail: the API of the CRM does not take it';
/** Too early, too often. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429]);

export function leadPosts({ allowPrivateSources }: Pick<IngestorConfig, 'allowPrivateSources'>): OutboundPosts {
  return new OutboundPosts({
    ...{ allowPrivate: allowPrivateSources, timeoutMs: TIMEOUT_MS, maxCharacters: READ_CHARACTERS },
  });
}

/** It cannot be delivered as things are: somebody must set something. It waits all the same. */
class Undeliverable extends Error {
  override readonly name: string = 'Undeliverable';
}

/** The API of the CRM does not take it, today or tomorrow. */
class Refused extends Undeliverable {
  override readonly name = 'Refused';
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
      try {
        await this.sendByApi(lead, verb, source, shutdown);
        return 'api';
      } catch (error) {
        if (!isExpected(error) || shutdown.aborted || lead.listing.negoEmail === undefined) throw error;
        // The agency reads an e-mail before anybody mends what the API does not like.
        const isFinal = error instanceof Refused || error instanceof AccessRefused;
        if (!isFinal && Date.now() - Date.parse(lead.receivedAt) < PATIENCE_MS) throw error;
        this.log.warn({ lead: taken.id, crm: taken.crm, client: taken.client, reason: error.message }, LATE);
      }
    }
    await this.sendByEmail(lead, verb.kind === 'email' ? verb : PLAIN_LEAD, address);
    return 'email';
  }

  private async sendByApi(
    lead: OutgoingLead,
    verb: Extract<LeadVerb, { kind: 'api' }>,
    source: SourceConfig,
    shutdown: AbortSignal,
  ): Promise<void> {
    const { url, headers = {}, body = '' } = verb.request(lead, source, new Date());
    const given = { ...headers, 'content-length': String(Buffer.byteLength(body)) };
    const { status, text } = await this.posts.post(url, given, body, shutdown);
    if (status < 200 || status >= 300) {
      const isRefusal = status >= 400 && status < 500 && !TEMPORARY.has(status);
      throw new (isRefusal ? Refused : Undeliverable)(`the API of the CRM answered ${status}`);
    }
    verb.confirm(text, source);
  }

  private async sendByEmail(lead: OutgoingLead, verb: typeof PLAIN_LEAD, address: string): Promise<void> {
    const to = address === '' ? (lead.listing.negoEmail ?? '') : address;
    if (to === '' || verb.kind !== 'email') {
      throw new Undeliverable(`there is no address to send it to: set "${ADDRESS_SETTING}" of the gateway`);
    }
    const { id, email } = lead;
    await this.mailer.send({ ...verb.compose(lead), to, id, ...(email !== undefined && { replyTo: email }) });
  }

  private opened({ token, receivedAt, sealed, affId, listing, scope }: TakenLead): OutgoingLead {
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
      ...(scope !== null && scope !== '' && { scope }),
    };
  }
}

function isExpected(error: unknown): error is Error {
  return [Undeliverable, MailFailed, PostFailed, FeedError].some((kind) => error instanceof kind);
}
