import type { FactoryProvider, Provider } from '@nestjs/common';
import { type ConnectorRegistry, OutboundPosts } from '@passerelle/connectors';
import {
  AgencyDigests,
  Announcements,
  AuditLog,
  ExportRuns,
  Gateways,
  HostBudgets,
  LeadListings,
  NotificationChannels,
  NotificationNotices,
  PlacementDocuments,
  Publications,
  SourceFeedback,
  WebhookTargets,
} from '@passerelle/database';
import type { SecretBox } from '@passerelle/domain';
import { createTargets, type Target } from '@passerelle/exporters';
import type { Logger } from 'pino';
import type { IngestorConfig } from '../config';
import { SourceSecrets } from '../ingest/source-secrets';
import { CONFIG, DELIVERIES, LOGGER, REGISTRY, SECRET_BOX, TARGETS } from '../tokens';
import type { Delivery } from './define-delivery';
import { digestDelivery } from './digest/digest-delivery';
import { editDelivery } from './edit/edit-delivery';
import { ExportCounters } from './export/export-counters';
import { exportDelivery } from './export/export-delivery';
import { feedbackDelivery } from './feedback/feedback-delivery';
import { notificationDelivery } from './notification/notification-delivery';
import { leadDelivery } from './lead/lead-delivery';
import { Mailer } from './lead/mailer';
import { OutboxWorker } from './outbox-worker';
import { SHOWN_CHARACTERS, WEBHOOK_TIMEOUT_MS, webhookDelivery } from './webhook/webhook-delivery';
import { WebhookTries } from './webhook/webhook-tries';

/** Answers of CRMs' APIs are parsed, not shown. */
const READ_CHARACTERS = 100_000;

export function outboundPosts(
  { allowPrivateSources }: Pick<IngestorConfig, 'allowPrivateSources'>,
  maxCharacters = SHOWN_CHARACTERS,
): OutboundPosts {
  return new OutboundPosts({ allowPrivate: allowPrivateSources, timeoutMs: WEBHOOK_TIMEOUT_MS, maxCharacters });
}

/** A new kind is added here, and to DELIVERY_KINDS. */
const DELIVERIES_PROVIDER: FactoryProvider<Delivery[]> = {
  provide: DELIVERIES,
  inject: [
    ...[CONFIG, REGISTRY, SECRET_BOX, LOGGER],
    ...[WebhookTargets, LeadListings, SourceFeedback, HostBudgets, SourceSecrets, Mailer, WebhookTries],
    ...[NotificationChannels, NotificationNotices, Gateways, AuditLog, Announcements, AgencyDigests],
    ...[ExportRuns, Publications, PlacementDocuments, ExportCounters, TARGETS],
  ],
  useFactory(
    config: IngestorConfig,
    registry: ConnectorRegistry,
    box: SecretBox | null,
    log: Logger,
    targets: WebhookTargets,
    listings: LeadListings,
    feedback: SourceFeedback,
    budgets: HostBudgets,
    secrets: SourceSecrets,
    mailer: Mailer,
    tries: WebhookTries,
    channels: NotificationChannels,
    notices: NotificationNotices,
    gateways: Gateways,
    audit: AuditLog,
    announcements: Announcements,
    digests: AgencyDigests,
    runs: ExportRuns,
    publications: Publications,
    documents: PlacementDocuments,
    counters: ExportCounters,
    portals: ReadonlyMap<string, Target>,
  ) {
    const { snapshotTtlSeconds, notifyEmail, allowPrivateSources: allowPrivate, spoolDir } = config;
    const posts = outboundPosts(config, READ_CHARACTERS);
    return [
      webhookDelivery({ targets, tries, posts: outboundPosts(config), box, snapshotTtlSeconds, log }),
      leadDelivery({ listings, mailer, secrets, posts, registry, box, log }),
      feedbackDelivery({ feedback, budgets, secrets, posts, registry, log }),
      notificationDelivery({
        ...{ channels, notices, announcements, audit, mailer, posts: outboundPosts(config), box },
        ...{ notifyEmail, snapshotTtlSeconds },
      }),
      digestDelivery({ digests, mailer }),
      editDelivery({ gateways, audit, budgets, secrets, registry, box, config }),
      exportDelivery({
        ...{
          runs,
          publications,
          documents,
          targets: portals,
          posts,
          box,
          allowPrivate,
          spoolDir,
          snapshotTtlSeconds,
          counters,
          log,
        },
      }),
    ];
  },
};

export const OUTBOX_PROVIDERS: readonly Provider[] = [
  WebhookTries,
  ExportCounters,
  Mailer,
  { provide: TARGETS, useFactory: createTargets },
  DELIVERIES_PROVIDER,
  OutboxWorker,
];
