import { EventEmitter } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import {
  admissionOf,
  type PendingNotifications,
  type Connector,
  type ConnectorRegistry,
  type FeedMemory,
  type FeedReading,
  type FeedRequest,
  MappingThreads,
  openFeed,
  type OutboundPolicy,
} from '@passerelle/connectors';
import { HostBudgets, type Gateway } from '@passerelle/database';
import { AccessRefused } from '@passerelle/domain';
import { OUTBOUND, REGISTRY } from '../tokens';
import type { SnapshotAssembly } from './snapshot-assembly';
import { PhotoIntakes } from './photo-intake';
import { GatewayMemories } from './source-memory';
import { SourceSecrets } from './source-secrets';
import type { RunLog } from './run-log';
import type { RunSlot } from './processing-slots';

/** Notifies the scheduler of a gateway that the gateway's source is slow. */
@Injectable()
export class SlowSources {
  private readonly events = new EventEmitter().setMaxListeners(0);

  /** Reports that the source of a running gateway sends slowly, or does not begin to answer. */
  note(gatewayId: number): void {
    this.events.emit(String(gatewayId));
  }

  /** Calls `onSlow` at most once, until the returned function is called. */
  watch(gatewayId: number, onSlow: () => void): () => void {
    this.events.once(String(gatewayId), onSlow);
    return () => {
      this.events.off(String(gatewayId), onSlow);
    };
  }
}

/** How one run opens its feed. */
interface OpenOptions {
  signal: AbortSignal;
  /** Whether photos are only inspected, and not stored. */
  isDry: boolean;
  /** The slot that is taken and released while the feed is read. */
  slot: RunSlot;
  /** The listings to request from a source that sends webhooks. */
  pending: PendingNotifications | undefined;
  readsEverything: boolean;
  /** Whether listings with unreadable records are kept: then the source must not answer that nothing has changed. */
  readsAgain: boolean;
  log: RunLog;
}

/** Opens the feeds of gateways, each with its connector, its credentials and its budget of requests. */
@Injectable()
export class GatewayFeeds {
  constructor(
    @Inject(REGISTRY) private readonly registry: Pick<ConnectorRegistry, 'get'>,
    @Inject(OUTBOUND) private readonly outbound: OutboundPolicy,
    private readonly secrets: SourceSecrets,
    private readonly hostBudgets: HostBudgets,
    private readonly photos: PhotoIntakes,
    private readonly memories: GatewayMemories,
    private readonly threads: MappingThreads,
    private readonly slow: SlowSources,
  ) {}

  /** @throws AccessRefused */
  connectorOf({ crm }: Gateway): Connector {
    const connector = this.registry.get(crm);
    if (connector === undefined) throw new AccessRefused(`no connector "${crm}" is registered in this version`);
    return connector;
  }

  /**
   * Called when the listings of a gateway were published: the data that was kept about its source until then may be
   * deleted.
   */
  async notePublished(gateway: Gateway): Promise<void> {
    await this.memories.forget(gateway);
  }

  /**
   * Opens the feed of a gateway. Records that the current snapshot knows are not parsed.
   *
   * @throws AccessRefused when this process cannot read the gateway's source.
   */
  open(
    gateway: Gateway,
    connector: Connector,
    assembly: SnapshotAssembly,
    { signal, isDry, slot, pending, readsEverything, readsAgain, log }: OpenOptions,
  ): FeedReading {
    const { settings } = gateway;
    const source = this.secrets.open(gateway);
    const memory = this.memories.of(gateway);
    const admit = admissionOf(this.hostBudgets, { settings, quota: connector.quota, source });
    const request: FeedRequest = {
      source,
      // Without a snapshot, "not modified" would confirm nothing.
      previous: gateway.currentSnapshotId === null ? {} : memoryOf(gateway, readsAgain),
      expectRecords: () => {
        if (slot.mayPrepare) assembly.expect();
      },
      beforeRecords: (files) => assembly.begin(files),
      isKnown: (hash) => assembly.isKnown(hash),
      ...(memory !== undefined && { memory }),
      photos: this.photos.of(gateway, isDry),
      ignoresDeclaredCount: settings.ignoresDeclaredCount,
      ...(pending !== undefined && { pending }),
      readsEverything,
      outbound: {
        ...this.outbound,
        admit,
        onSlow: () => {
          this.slow.note(gateway.id);
          log.info({}, 'the source is slow: other sources may be read meanwhile');
        },
        onRequest: (request) => {
          log.noteRequest(request);
        },
        ...(settings.leastRate !== null && {
          leastRate: { ...this.outbound.leastRate, bytesPerSecond: settings.leastRate },
        }),
      },
      work: slot,
      signal,
    };
    return openFeed(connector, request, this.threads);
  }
}

/**
 * The memory of a source. If the source must be read again, the validators that could lead to "not modified" are left
 * out.
 */
function memoryOf({ feedMemory }: Gateway, readsAgain: boolean): FeedMemory {
  if (!readsAgain) return feedMemory;
  const memory: FeedMemory = { ...feedMemory };
  for (const validator of ['etag', 'lastModified', 'fingerprint', 'sizeBytes'] as const)
    Reflect.deleteProperty(memory, validator);
  return memory;
}
