import { OutboundPosts, type uploadFile } from '@passerelle/connectors';
import { type Database, ExportTakenOver } from '@passerelle/database';
import type { SecretBox } from '@passerelle/domain';
import type { Target } from '@passerelle/exporters';
import pino from 'pino';
import { ExportCounters } from '../../../apps/ingestor/src/outbox/export/export-counters';
import { exportDelivery } from '../../../apps/ingestor/src/outbox/export/export-delivery';
import { DeliveryFailed } from '../../../apps/ingestor/src/outbox/define-delivery';

/** The process ended in the middle of its work. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** PostgreSQL refuses a statement. */
export class StatementFailed extends Error {
  override readonly name = 'StatementFailed';
}

export interface PumpOptions {
  targets: readonly Target[];
  box?: SecretBox;
  upload?: typeof uploadFile;
  allowPrivate?: ReadonlySet<string>;
  /** Called before and after each statement of the export; throwing `Killed` ends the process, others fail the statement. */
  atStatement?: (when: 'before' | 'after') => void;
  /** Lets the time pass after which an export is tried again. */
  letTimePass?: () => Promise<unknown>;
  ttlSeconds?: number;
  /** The folder of temporary files; default: that of the system. */
  spoolDir?: string;
}

/** Sends waiting exports as the worker of the outbox does, but without pauses. @returns the errors of failed attempts */
export async function pumpExports(database: Database, options: PumpOptions, most = 200): Promise<string[]> {
  const { targets, box = null, upload, allowPrivate = new Set<string>(), ttlSeconds = 3600, spoolDir = null } = options;
  const errors: string[] = [];
  const posts = new OutboundPosts({ allowPrivate, timeoutMs: 5_000, maxCharacters: 100_000 });
  try {
    let idle = 0;
    for (let attempts = 0; attempts < most; attempts += 1) {
      const mortal = mortalRepositories(database, options.atStatement);
      const delivery = exportDelivery({
        ...{ runs: mortal.exportRuns, publications: mortal.publications, documents: mortal.placementDocuments },
        ...{
          targets: new Map(targets.map((target) => [target.code, target])),
          posts,
          box,
          allowPrivate,
          spoolDir,
        },
        ...{ snapshotTtlSeconds: ttlSeconds, counters: new ExportCounters(), log: pino({ level: 'silent' }) },
        ...(upload !== undefined && { upload }),
      });
      const [claimed] = await database.outbox.claim({
        ...delivery,
        limit: 1 - (attempts % 2),
        retriedLimit: attempts % 2,
        seconds: delivery.timeoutMs / 1000 + 15,
      });
      // New deliveries and those that failed before are claimed in turn.
      idle = claimed === undefined ? idle + 1 : 0;
      if (claimed === undefined && idle > 1) return errors;
      if (claimed === undefined) continue;
      try {
        const sent = await delivery.send(claimed, new AbortController().signal);
        if (sent.isPartial === true) await database.outbox.noteProgress(claimed);
        else await database.outbox.noteDelivered(claimed, 'placement', sent);
      } catch (error) {
        errors.push(error instanceof Error ? error.message : String(error));
        const isExpected =
          error instanceof DeliveryFailed || error instanceof ExportTakenOver || error instanceof StatementFailed;
        if (!mortal.isDead() && !isExpected) throw error;
        if (!mortal.isDead())
          await database.outbox.noteFailed(claimed, { error: String(error), pauseMs: 0, isFinal: false });
        await options.letTimePass?.();
      }
    }
    throw new Error(`exports still wait after ${most} attempts: ${errors.slice(-3).join('; ')}`);
  } finally {
    posts.close();
  }
}

type Mortal = Pick<Database, 'exportRuns' | 'publications' | 'placementDocuments'> & { isDead(): boolean };

/** Repositories of a process that may end at any statement; after that nothing works any more. */
function mortalRepositories(database: Database, atStatement: PumpOptions['atStatement']): Mortal {
  let isDead = false;
  const at = (when: 'before' | 'after'): void => {
    if (isDead) throw new Killed('killed');
    try {
      atStatement?.(when);
    } catch (error) {
      isDead = error instanceof Killed;
      throw error;
    }
  };
  const mortal = <T extends object>(repository: T): T =>
    new Proxy(repository, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return async (...values: unknown[]): Promise<unknown> => {
          at('before');
          const result: unknown = await Reflect.apply(member, target, values);
          at('after');
          return result;
        };
      },
    });
  return {
    ...{ exportRuns: mortal(database.exportRuns), publications: mortal(database.publications) },
    placementDocuments: mortal(database.placementDocuments),
    isDead: () => isDead,
  };
}
