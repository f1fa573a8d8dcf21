import {
  type ConnectorRegistry,
  type LeadVerb,
  type OutboundPosts,
  type OutgoingLead,
  PLAIN_LEAD,
  PostFailed,
  type SourceConfig,
} from '@passerelle/connectors';
import type { LeadListings, ClaimedDelivery } from '@passerelle/database';
import {
  AccessRefused,
  ENDLESS_PAUSES_MS,
  FeedError,
  type Lead,
  LEAD_CHANNEL,
  type Listing,
  type SecretBox,
} from '@passerelle/domain';
import type { Logger } from 'pino';
import type { SourceSecrets } from '../../ingest/source-secrets';
import { defineDelivery, type Delivery, DeliveryFailed } from '../define-delivery';
import type { Mailer } from './mailer';

const ADDRESS_SETTING = 'lead-email';
/** When the CRM's API has not worked for this time, an e-mail goes to the agent of the listing. */
const PATIENCE_MS = 3_600_000;
const LATE = 'a lead is sent by e-mail: the API of the CRM does not accept it';
const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429]);

/** The CRM's API refuses the lead permanently. */
class Refused extends DeliveryFailed {
  override readonly name = 'Refused';
}

interface LeadDependencies {
  listings: LeadListings;
  mailer: Mailer;
  secrets: SourceSecrets;
  posts: OutboundPosts;
  registry: ConnectorRegistry;
  box: SecretBox | null;
  log: Logger;
}

/** Sends enquiries of visitors through the API of the agency's CRM, or by e-mail in the form that the CRM reads. */
export function leadDelivery({ listings, mailer, secrets, posts, registry, box, log }: LeadDependencies): Delivery {
  return defineDelivery({
    kind: 'lead',
    orderKey: 'delivery',
    pausesMs: ENDLESS_PAUSES_MS,
    timeoutMs: 100_000,
    atOnce: 20,
    retriedAtOnce: 20,
    channel: LEAD_CHANNEL,

    async send(delivery, signal) {
      const lead = await opened(delivery);
      const source = secrets.open(delivery);
      const verb = registry.get(delivery.crm)?.lead ?? PLAIN_LEAD;
      const address = source.settings[ADDRESS_SETTING] ?? '';
      if (verb.kind === 'api' && address === '') {
        try {
          await sendByApi(lead, verb, source, signal);
          return { way: 'api' };
        } catch (error) {
          if (!isExpected(error) || signal.aborted || lead.listing.negoEmail === undefined) throw error;
          // An e-mail reaches the agency before the fault of the API is fixed.
          const isFinal = error instanceof Refused || error instanceof AccessRefused;
          if (!isFinal && Date.now() - Date.parse(lead.receivedAt) < PATIENCE_MS) throw error;
          const { id, crm, client } = delivery;
          log.warn({ delivery: id, crm, client, reason: error.message }, LATE);
        }
      }
      await sendByEmail(lead, verb.kind === 'email' ? verb : PLAIN_LEAD, address);
      return { way: 'email' };
    },
  });

  async function sendByApi(
    lead: OutgoingLead,
    verb: Extract<LeadVerb, { kind: 'api' }>,
    source: SourceConfig,
    signal: AbortSignal,
  ): Promise<void> {
    const { url, headers = {}, body = '' } = verb.request(lead, source, new Date());
    const given = { ...headers, 'content-length': String(Buffer.byteLength(body)) };
    const { status, text } = await posts.post(url, given, body, signal);
    if (status < 200 || status >= 300) {
      const isRefusal = status >= 400 && status < 500 && !TEMPORARY.has(status);
      throw new (isRefusal ? Refused : DeliveryFailed)(`the API of the CRM answered ${status}`);
    }
    verb.confirm(text, source);
  }

  async function sendByEmail(lead: OutgoingLead, verb: typeof PLAIN_LEAD, address: string): Promise<void> {
    const to = address === '' ? (lead.listing.negoEmail ?? '') : address;
    if (to === '' || verb.kind !== 'email') {
      throw new DeliveryFailed(`there is no address to send it to: set "${ADDRESS_SETTING}" of the gateway`);
    }
    const { id, email } = lead;
    await mailer.send({ ...verb.compose(lead), to, id, ...(email !== undefined && { replyTo: email }) });
  }

  async function opened({ gatewayId, messageId, at, sealed, affId }: ClaimedDelivery): Promise<OutgoingLead> {
    if (box === null) throw new DeliveryFailed('this ingestor has no SECRETS_KEY to read leads with');
    let text: string;
    try {
      text = box.open(sealed ?? Buffer.alloc(0));
    } catch (cause) {
      throw new DeliveryFailed('it was sealed with another SECRETS_KEY than this ingestor has', {}, { cause });
    }
    const { listing, scope } = await listings.find(gatewayId, affId);
    return {
      ...(JSON.parse(text) as Lead),
      ...{ id: messageId, receivedAt: at, listing: listing === null ? {} : (JSON.parse(listing) as Listing) },
      ...(affId !== null && { affId }),
      ...(scope !== null && scope !== '' && { scope }),
    };
  }
}

function isExpected(error: unknown): error is Error {
  return [DeliveryFailed, PostFailed, FeedError].some((kind) => error instanceof kind);
}
