import { EventEmitter } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import {
  admissionOf,
  canRemap,
  type PendingNotifications,
  type Connector,
  type ConnectorRegistry,
  type FeedMemory,
  type FeedReading,
  type FeedRequest,
  mappingKeyOf,
  mappingOf,
  MappingThreads,
  openFeed,
  type OutboundPolicy,
  StoredRecords,
} from '@passerelle/connectors';
import { HostBudgets, type Gateway } from '@passerelle/database';
import { AccessRefused } from '@passerelle/domain';
import { OUTBOUND, REGISTRY, RUNNER_OPTIONS } from '../tokens';
import type { SnapshotAssembly } from './snapshot-assembly';
import { PhotoIntakes } from './photo-intake';
import { GatewayMemories } from './source-memory';
import { SourceSecrets } from './source-secrets';
import type { RunLog } from './run-log';
import type { RunSlot } from './processing-slots';
import type { RunnerOptions } from './run-settings';
import { RemapRefused } from './run-preparation';

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

interface OpenOptions {
  signal: AbortSignal;
  /** Whether photos are only inspected, and not stored. */
  isDry: boolean;
  slot: RunSlot;
  /** The listings to request from a source that sends webhooks. */
  pending: PendingNotifications | undefined;
  readsEverything: boolean;
  /** Whether listings with unreadable records are kept, so that the source must not answer "not modified". */
  readsAgain: boolean;
  log: RunLog;
}

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
    @Inject(RUNNER_OPTIONS) private readonly options: Pick<RunnerOptions, 'remapSpreadHours'>,
  ) {}

  /** @throws AccessRefused */
  connectorOf({ crm }: Gateway): Connector {
    const connector = this.registry.get(crm);
    if (connector === undefined) throw new AccessRefused(`no connector "${crm}" is registered in this version`);
    return connector;
  }

  find(crm: string): Connector | undefined {
    return this.registry.get(crm);
  }

  mappingKeyOf(gateway: Gateway, connector: Connector): string {
    return mappingKeyOf(connector, this.secrets.open(gateway), this.photos.of(gateway, false).key);
  }

  /** @throws RemapRefused when only the source's records can be mapped @throws AccessRefused */
  storedRecordsOf(gateway: Gateway, connector: Connector): StoredRecords {
    const source = this.secrets.open(gateway);
    const memory: FeedMemory = gateway.feedMemory;
    const photos = this.photos.stored(gateway);
    if (memory.mappedAs === mappingOf(connector)) throw new RemapRefused('a run has already mapped the listings again');
    if (!canRemap(connector, source, memory, photos.key))
      throw new RemapRefused('the stored records are not sufficient for this mapping: the next run reads the source');
    return new StoredRecords(connector, source.settings, memory.beside ?? {}, photos);
  }

  /** Deletes the details stored from the gateway's source so far. */
  async notePublished(gateway: Gateway): Promise<void> {
    await this.memories.forget(gateway);
  }

  /** Does not parse records that the snapshot knows. @throws AccessRefused when this process cannot read the source */
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
    const photos = this.photos.of(gateway, isDry);
    const mayRemap = this.options.remapSpreadHours > 0 && !readsEverything;
    const request: FeedRequest = {
      source,
      remapsLater: mayRemap && canRemap(connector, source, gateway.feedMemory, photos.key),
      // Without a snapshot, "not modified" would confirm nothing.
      previous: gateway.currentSnapshotId === null ? {} : memoryOf(gateway, readsAgain),
      expectRecords: () => {
        if (slot.mayPrepare) assembly.expect();
      },
      beforeRecords: (files) => assembly.begin(files),
      isKnown: (hash) => assembly.isKnown(hash),
      ...(memory !== undefined && { memory }),
      photos,
      hasDailyLimit: settings.requestsPerDay !== null,
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

/** The memory without validators that could lead to "not modified", if the source must be read again. */
function memoryOf({ feedMemory }: Gateway, readsAgain: boolean): FeedMemory {
  return readsAgain ? withoutValidators(feedMemory) : feedMemory;
}

export function withoutValidators(feedMemory: FeedMemory): FeedMemory {
  const memory: FeedMemory = { ...feedMemory };
  for (const validator of ['etag', 'lastModified', 'fingerprint', 'sizeBytes'] as const)
    Reflect.deleteProperty(memory, validator);
  return memory;
}
