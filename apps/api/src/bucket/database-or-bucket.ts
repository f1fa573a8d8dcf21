import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Bucket, BucketError, BucketLies } from '@passerelle/bucket';
import { DatabaseConnection, insistently, isDatabaseAway, OTHER_SERVER_MS } from '@passerelle/database';
import { ApiError } from '@passerelle/domain';
import { CountedLine, inTime } from '@passerelle/limits';
import type { Logger } from 'pino';
import { Metrics } from '../metrics/metrics';
import { LOGGER, PAGES_BUCKET } from '../tokens';

/** A database that takes longer does not answer, as far as a reader is concerned. */
const PATIENCE_MS = 5_000;
/** How often to try whether it answers again. */
const TRY_EVERY_MS = 500;
const RETRY_AFTER_SECONDS = 30;
/**
 * Asks the database, the next of its servers where one is lost; while it does not answer the bucket in which lists outlive it, where there is one. A database that was
 * away is tried beside the requests: none of them waits for it.
 */
@Injectable()
export class DatabaseOrBucket implements OnApplicationShutdown {
  readonly figures = { answered: 0, failed: 0 };
  /** How often the database went away since the process started. */
  outages = 0;
  private trying: Promise<void> | null = null;
  private isStopped = false;
  private reason = '';
  private readonly failures: CountedLine;

  constructor(
    @Inject(PAGES_BUCKET) private readonly bucket: Bucket | null,
    private readonly connection: DatabaseConnection,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.failures = new CountedLine((failures) => {
      logger.error({ reason: this.reason, failures }, 'the pages bucket cannot stand in for the database');
    });
    metrics.count({
      name: 'passerelle_api_bucket_reads_total',
      help: 'Reads of the pages bucket in the place of PostgreSQL, and those that it could not answer',
      label: 'result',
      figures: () => this.figures,
    });
    metrics.gauge({
      name: 'passerelle_api_reads_outlive_database',
      help: 'Whether lists come from the pages bucket, for PostgreSQL does not answer',
      label: 'part',
      figures: () => ({ lists: this.isAway ? 1 : 0 }),
    });
  }

  /** Whether there is a bucket that could stand in for the database. */
  get hasBucket(): boolean {
    return this.bucket !== null;
  }

  /** Whether the database did not answer a moment ago, and the bucket stands in for it. */
  get isAway(): boolean {
    return this.trying !== null;
  }

  /** @throws ApiError INTERNAL_ERROR when neither of them answers, or the bucket has something else than was put there */
  async ask<T>(ofDatabase: () => Promise<T>, ofBucket: (bucket: Bucket) => Promise<T>): Promise<T> {
    const { bucket } = this;
    if (bucket === null) return this.insist(ofDatabase);
    if (!this.isAway) {
      try {
        return await answerOf(ofDatabase());
      } catch (error) {
        if (!isDatabaseAway(error)) throw error;
        this.begin(error);
      }
    }
    return this.askBucket(() => ofBucket(bucket));
  }

  /** Asks the database, and the next of its servers where one is lost, for what is in no bucket. What is asked may be done twice. */
  insist<T>(ofDatabase: () => Promise<T>): Promise<T> {
    return this.connection.hasSeveralHosts ? insistently(ofDatabase, { patienceMs: OTHER_SERVER_MS }) : ofDatabase();
  }

  /** The same for lists that are in no bucket: where there is none, all lists are asked for again where they are read. */
  insistOnLists<T>(ofDatabase: () => Promise<T>): Promise<T> {
    return this.hasBucket ? this.insist(ofDatabase) : ofDatabase();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.trying;
    this.bucket?.close();
  }

  private async askBucket<T>(ofBucket: () => Promise<T>): Promise<T> {
    try {
      const found = await ofBucket();
      this.figures.answered += 1;
      return found;
    } catch (error) {
      if (!(error instanceof BucketError || error instanceof BucketLies)) throw error;
      this.figures.failed += 1;
      this.reason = error.message;
      this.failures.note();
      throw new ApiError(
        'INTERNAL_ERROR',
        'The database does not answer.',
        { retry_after_seconds: RETRY_AFTER_SECONDS },
        { 'retry-after': String(RETRY_AFTER_SECONDS) },
      );
    }
  }

  private begin(error: unknown): void {
    if (this.trying !== null) return;
    this.outages += 1;
    this.logger.error({ err: error }, 'the database does not answer: lists come from the pages bucket');
    this.trying = this.tryAgain().finally(() => {
      this.trying = null;
    });
  }

  private async tryAgain(): Promise<void> {
    for (;;) {
      await sleep(TRY_EVERY_MS, undefined, { ref: false });
      if (this.isStopped) return;
      try {
        await answerOf(this.connection.isReadOnly());
        this.logger.info('the database answers again');
        return;
      } catch {
        // Not yet.
      }
    }
  }
}

/** @throws Error ETIMEDOUT when it takes too long. */
function answerOf<T>(asked: Promise<T>): Promise<T> {
  return inTime(asked, PATIENCE_MS, () =>
    Object.assign(new Error('the database took too long to answer'), { code: 'ETIMEDOUT' }),
  );
}
