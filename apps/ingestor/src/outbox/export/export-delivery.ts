import { type OutboundPosts, PostFailed, savePhoto, uploadFile } from '@passerelle/connectors';
import {
  type ClaimedDelivery,
  type ExportedPlacement,
  type ExportFence,
  type ExportOutcome,
  type ExportRuns,
  ExportTakenOver,
  type PlacementDocuments,
  type Publications,
} from '@passerelle/database';
import { DAYS_AFTER_CONTRACT, ENDLESS_PAUSES_MS, FeedError, RetryLater, type SecretBox } from '@passerelle/domain';
import { configHashOf, isLive, type PlacementConfig, type PortalHttp, type Target } from '@passerelle/exporters';
import type { Logger } from 'pino';
import { defineDelivery, type Delivery, DeliveryFailed, type Sent } from '../define-delivery';
import { exportAdverts } from './api-export';
import type { ExportCounters } from './export-counters';
import type { ExportJob } from './export-job';
import { exportList, maySendList } from './list-export';

/** One attempt; more adverts follow in the next one. */
const TIMEOUT_MS = 120_000;
/** How often to look for exports that are due without a new snapshot. */
const DUE_MS = 5_000;
const NOTHING = { ready: 0, added: 0, changed: 0, removed: 0, refused: 0, waiting: 0 };

export interface ExportDependencies {
  runs: ExportRuns;
  publications: Publications;
  documents: PlacementDocuments;
  targets: ReadonlyMap<string, Target>;
  posts: OutboundPosts;
  box: SecretBox | null;
  allowPrivate: ReadonlySet<string>;
  spoolDir: string | null;
  snapshotTtlSeconds: number;
  counters: ExportCounters;
  log: Logger;
  upload?: typeof uploadFile;
}

/** Adverts to portals: one export at a time for each placement. */
export function exportDelivery(dependencies: ExportDependencies): Delivery {
  const { runs, publications, targets, box, snapshotTtlSeconds, counters, log } = dependencies;
  let lookedAtMs = -DUE_MS;
  return defineDelivery({
    kind: 'export',
    orderKey: 'placement',
    pausesMs: ENDLESS_PAUSES_MS,
    timeoutMs: TIMEOUT_MS,
    atOnce: 8,
    retriedAtOnce: 4,
    latestOnly: ['export'],
    async send(delivery, signal): Promise<Sent> {
      const placementId = delivery.placementId ?? 0;
      const placement = await runs.load(placementId, snapshotTtlSeconds, DAYS_AFTER_CONTRACT);
      if (placement === null || !placement.isOn) return {};
      const target = targets.get(placement.target);
      const startedMs = performance.now();
      try {
        if (target === undefined)
          throw new DeliveryFailed(`not sent: this ingestor has no target "${placement.target}"`, { isOurs: true });
        return await attempt(delivery, placement, target, signal);
      } catch (error) {
        if (error instanceof ExportTakenOver || isShutdown(signal)) throw error;
        counters.count(placement.target, 'failed', performance.now() - startedMs);
        const failures = await runs.noteFailure({ ...delivery, placementId }, sentenceOf(error));
        throw new DeliveryFailed(sentenceOf(error), { failures, askedMs: retryAfterOf(error) }, { cause: error });
      }
    },
    async upkeep() {
      if (performance.now() - lookedAtMs < DUE_MS) return;
      lookedAtMs = performance.now();
      await runs.enqueueDue(snapshotTtlSeconds, DAYS_AFTER_CONTRACT);
    },
  });

  async function attempt(
    delivery: ClaimedDelivery,
    placement: ExportedPlacement,
    target: Target,
    signal: AbortSignal,
  ): Promise<Sent> {
    const { gatewayId, id: placementId, snapshot } = placement;
    const fence: ExportFence = { id: delivery.id, fence: delivery.fence, gatewayId, placementId };
    const startedMs = performance.now();
    const config = configOf(placement);
    const context = { placement: config, publishedAtMs: snapshot?.publishedAtMs ?? 0 };
    const { rule, embargoHours } = placement;
    const known = await publications.ofPlacement(fence);
    const isEnding = placement.isEnding || placement.isContractOver;
    const job: ExportJob = {
      ...{ runs, publications, fence, placement, target, context, known, signal },
      onUnwritable: (error, affId) => {
        log.error({ err: error, target: target.code, affId }, 'cannot write an advert');
      },
      configHash: configHashOf(target, context, { rule, embargoHours }),
      isForced: (delivery.data as { force?: boolean } | null)?.force === true,
    };
    const waits = placement.isPaused || (snapshot === null && !isEnding) || !maySendList(job);
    if (waits) {
      // Due immediately: the upkeep checks whether the pause is over and the list is confirmed.
      const dueInMs = snapshot === null ? null : 0;
      const outcome = {
        result: 'unconfirmed' as const,
        counts: NOTHING,
        snapshotId: placement.lastSnapshotId,
        dueInMs,
      };
      await runs.noteEnd(fence, outcome);
      return {};
    }
    assertComplete(target, config);
    const outcome = await send(job);
    if (placement.isEnding && ![...known.values()].some((row) => isLive(row) || row.state === 'removing')) {
      await runs.deleteEnded(placementId);
      return {};
    }
    await runs.noteEnd(fence, outcome);
    counters.count(target.code, outcome.result, performance.now() - startedMs);
    return { isPartial: outcome.isPartial };
  }

  async function send(job: ExportJob): Promise<ExportOutcome & { isPartial: boolean }> {
    const { target, signal } = job;
    if (target.transport !== 'api') {
      const { documents, posts, allowPrivate, spoolDir, upload = uploadFile } = dependencies;
      const outcome = await exportList(
        { ...job, target },
        {
          ...{ documents, allowPrivate, spoolDir, upload },
          savePhoto: (url, path, at) => savePhoto(posts, url, path, at),
        },
      );
      return { ...outcome, isPartial: false };
    }
    return exportAdverts(
      { ...job, target },
      target.open(job.context.placement, portalHttp(dependencies.posts, signal)),
    );
  }

  function configOf({ id, crm, client, language, contact, settings, credentials }: ExportedPlacement): PlacementConfig {
    return { id, crm, client, language, contact, settings, credentials: opened(credentials) };
  }

  function opened(sealed: Buffer | null): Record<string, string> {
    if (sealed === null) return {};
    if (box === null)
      throw new DeliveryFailed('not sent: this ingestor has no SECRETS_KEY to read the credentials with', {
        isOurs: true,
      });
    try {
      return JSON.parse(box.open(sealed)) as Record<string, string>;
    } catch (cause) {
      throw new DeliveryFailed(
        'not sent: its credentials were sealed with another SECRETS_KEY',
        { isOurs: true },
        { cause },
      );
    }
  }
}

/** Requests of a target's client, only to public addresses. */
function portalHttp(posts: OutboundPosts, signal: AbortSignal): PortalHttp {
  return async (request) => {
    try {
      const { status, headers, text } = await posts.send(request, signal);
      return { status, headers, text };
    } catch (error) {
      if (!(error instanceof PostFailed)) throw error;
      throw new RetryLater(`the portal: ${error.message}`, undefined, { cause: error });
    }
  };
}

/** @throws DeliveryFailed */
function assertComplete(target: Target, { credentials, settings }: PlacementConfig): void {
  const lacking = [
    ...target.requiredCredentials
      .filter((name) => (credentials[name] ?? '') === '')
      .map((name) => `the credential "${name}"`),
    ...target.requiredSettings.filter((name) => (settings[name] ?? '') === '').map((name) => `the setting "${name}"`),
  ];
  if (lacking.length > 0)
    throw new DeliveryFailed(`not sent: the placement lacks ${lacking.join(', ')}`, { isOurs: true });
}

/** Whether the process ends, so that the attempt counts for nothing. */
function isShutdown({ aborted, reason }: AbortSignal): boolean {
  return aborted && !(reason instanceof DOMException && reason.name === 'TimeoutError');
}

function sentenceOf(error: unknown): string {
  if (error instanceof DeliveryFailed || error instanceof FeedError) return error.message;
  if (error instanceof Error && error.name === 'TimeoutError') return 'the portal took too long';
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return 'the disk of the ingestor is full';
  return 'the export failed: the log of the ingestor says why';
}

function retryAfterOf(error: unknown): number | null {
  return error instanceof RetryLater ? (error.retryAfterMs ?? null) : null;
}
