import { DatabaseConnection, openDatabase, RefusedWrites, SessionAddress } from '@passerelle/database';
import { INGEST_QUEUE } from '@passerelle/domain';
import { connectQueue } from '@passerelle/queue';
import { Queue } from 'bullmq';
import { Pool } from 'pg';
import { pino } from 'pino';
import { IngestQueue } from '../../../apps/ingestor/src/queue/ingest-queue';
import { Dispatcher } from '../../../apps/ingestor/src/schedule/dispatcher';
import type { HistoryPruning } from '../../../apps/ingestor/src/schedule/history-pruning';
import { type BreakableLink, linkTo } from '../../support/breakable-link';

/** The parts of an ingestor that announce runs, without a worker that takes them. */
export interface AnnouncingIngestor {
  name: string;
  /** The ingestor's connection to the database. */
  link: BreakableLink;
  /** The runs that the ingestor has announced to the queue, in order. */
  announced: number[];
  stop(): Promise<void>;
}

export interface QueueLocation {
  redisUrl: string | null;
  redisPrefix: string;
  databaseUrl: string;
}

const SILENT = pino({ level: 'silent' });

export function openQueue(location: QueueLocation): { queue: Queue; close(): Promise<void> } {
  const { connection, prefix, close } = connectQueue(location);
  const queue = new Queue(INGEST_QUEUE, { connection, prefix });
  return {
    queue,
    async close() {
      await queue.close();
      await close();
    },
  };
}

/** Announcer terms too long to end on a slow machine. The tests end them in the database. */
const HOUR = 3_600;

export async function startAnnouncing(name: string, location: QueueLocation): Promise<AnnouncingIngestor> {
  const link = await linkTo(location.databaseUrl);
  const database = await openDatabase({ url: link.url, applicationName: name });
  const pool = new Pool({ connectionString: link.url });
  const { queue, close } = openQueue(location);
  const announced: number[] = [];
  const noPruning: Pick<HistoryPruning, 'goOn' | 'stop'> = {
    goOn: () => undefined,
    stop: () => Promise.resolve(),
  };
  class RecordingQueue extends IngestQueue {
    override async announce(runs: Parameters<IngestQueue['announce']>[0]): Promise<void> {
      announced.push(...runs.map(({ runId }) => runId));
      await super.announce(runs);
    }
  }
  const dispatcher = new Dispatcher(
    new DatabaseConnection(pool, new RefusedWrites(), new SessionAddress(pool.options.connectionString)),
    database.schedule,
    database.announcements,
    new RecordingQueue(
      queue,
      SILENT,
      { assertTakesWrites: () => Promise.resolve() },
      { list: () => Promise.resolve([]) },
    ),
    // Disabled, because the clock repair would treat terms of an hour as ended.
    { runWhenDue: () => Promise.resolve() },
    noPruning as HistoryPruning,
    { goOn: () => Promise.resolve() },
    { goOn: () => Promise.resolve() },
    { holder: name, everySeconds: 86_400, announcerSeconds: HOUR, announcedSeconds: HOUR },
    SILENT,
  );
  await dispatcher.start();
  return {
    ...{ name, link, announced },
    async stop() {
      await dispatcher.stop();
      await close();
      await pool.end();
      await database.close();
      await link.close();
    },
  };
}
