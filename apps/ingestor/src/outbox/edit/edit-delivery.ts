import { admissionOf, type ConnectorRegistry, type FeedTrial, tryFeed } from '@passerelle/connectors';
import type { AuditLog, ClaimedDelivery, Gateways, HostBudgets } from '@passerelle/database';
import {
  EDIT_CHANNEL,
  type GatewayEdit,
  type GatewayEditData,
  parseGatewaySettings,
  type SecretBox,
  sealCredentials,
} from '@passerelle/domain';
import { type Actor, changeGateway, Refused } from '@passerelle/operations';
import type { IngestorConfig } from '../../config';
import type { SourceSecrets } from '../../ingest/source-secrets';
import { defineDelivery, type Delivery, DeliveryFailed } from '../define-delivery';
import { sendsCredentialsElsewhere } from './same-hosts';

/** Small limits, because an operator waits for the test, and a page shows no more. */
const LIMITS = { maxBytes: 64 * 1024 ** 2, timeoutMs: 20_000, most: 200 };
const SHOWN_LISTINGS = 12;
const SHOWN_NOTES = 20;

interface EditDependencies {
  gateways: Gateways;
  audit: AuditLog;
  budgets: HostBudgets;
  secrets: SourceSecrets;
  registry: ConnectorRegistry;
  box: SecretBox | null;
  config: Pick<IngestorConfig, 'inboxDir' | 'allowPrivateSources'>;
}

/** Changes and tests of gateways from the console, whose role cannot read the stored secrets that they are merged with. */
export function editDelivery(dependencies: EditDependencies): Delivery {
  const { gateways, audit, budgets, secrets, registry, box, config } = dependencies;
  return defineDelivery({
    kind: 'edit',
    orderKey: 'gateway',
    // An operator waits for the result, and tries again after a failure.
    tries: 1,
    pausesMs: [0],
    timeoutMs: 60_000,
    atOnce: 4,
    retriedAtOnce: 4,
    channel: EDIT_CHANNEL,

    async send(delivery, signal) {
      const edit = openedEdit(delivery);
      if (sendsCredentialsElsewhere(secrets.open(delivery), edit)) {
        throw new DeliveryFailed(
          'not done: an address leads to another host, so enter the credentials again; the stored ones are not sent there',
        );
      }
      if (delivery.type === 'test') return { answer: JSON.stringify(await test(delivery, edit, signal)) };
      await change(delivery, edit);
      return {};
    },
  });

  function openedEdit({ sealed }: ClaimedDelivery): GatewayEdit {
    if (box === null || sealed === null) {
      throw new DeliveryFailed('not done: this ingestor has no SECRETS_KEY to read the values with');
    }
    try {
      return JSON.parse(box.open(sealed)) as GatewayEdit;
    } catch (cause) {
      throw new DeliveryFailed('not done: the values were sealed with another SECRETS_KEY', {}, { cause });
    }
  }

  async function change({ crm, client, data }: ClaimedDelivery, edit: GatewayEdit): Promise<void> {
    const { who, through, partOf, reason } = data as GatewayEditData;
    const actor: Actor = { name: who, through, ...(partOf !== undefined && { partOf }) };
    const { source, credentials, ...others } = edit;
    const changed = {
      ...others,
      ...(source !== undefined && { sourceUrl: source }),
      ...(credentials !== undefined && {
        credentials: credentials === null || box === null ? null : sealCredentials(credentials, box),
      }),
    };
    try {
      await changeGateway({ gateways, audit }, actor, { crm, client }, changed, box, reason);
    } catch (error) {
      if (error instanceof Refused) throw new DeliveryFailed(error.message);
      throw error;
    }
  }

  async function test(delivery: ClaimedDelivery, edit: GatewayEdit, signal: AbortSignal): Promise<FeedTrial> {
    const connector = registry.get(delivery.crm);
    if (connector === undefined) throw new DeliveryFailed(`this ingestor has no connector ${delivery.crm}`);
    const stored = secrets.open(delivery);
    const kept = Object.entries(stored.settings).filter(([name]) => edit.unsetSettings?.includes(name) !== true);
    const source = {
      url: edit.source ?? stored.url,
      settings: { ...Object.fromEntries(kept), ...edit.settings },
      credentials: edit.credentials === undefined ? stored.credentials : (edit.credentials ?? {}),
    };
    const quota = { settings: parseGatewaySettings(source.settings), quota: connector.quota, source };
    const admission = admissionOf(budgets, quota);
    const admit: typeof admission = (host, own) => admission(host, AbortSignal.any([own, signal]));
    const { inboxDir, allowPrivateSources: allowPrivate } = config;
    const feed = { ...source, inboxDir, allowPrivate, isFile: false, admit };
    return slim(await tryFeed(connector, feed, (_listing, ahead) => ahead < SHOWN_LISTINGS, LIMITS));
  }
}

/** The parts of the result that the page shows. */
function slim(trial: FeedTrial): FeedTrial {
  return {
    ...trial,
    listings: trial.listings.map(({ listing }) => ({
      listing: { ...listing, photos: listing.photos.slice(0, 1) },
      raw: {},
    })),
    rejections: trial.rejections.slice(0, SHOWN_NOTES),
    warnings: trial.warnings.slice(0, SHOWN_NOTES),
  };
}
