import type { StoredLogLine, Rejection, Warning } from '@passerelle/domain';
import { Pool } from 'pg';
import { DataSource, type Repository } from 'typeorm';
import { RejectionEntity, RunWarningEntity } from '../entities/run.entity';

export interface FencedRun {
  id: number;
  fence: number;
}

/** SQL: a worker without the lease must not write into a run that was taken over. The lock keeps the run. */
const STILL_OURS = '(SELECT fence FROM run WHERE id = $1 FOR KEY SHARE) =';

export class RunNoteStore {
  private readonly rejections: Repository<RejectionEntity>;
  private readonly warnings: Repository<RunWarningEntity>;

  constructor(
    private readonly pool: Pool,
    source: DataSource,
  ) {
    this.rejections = source.getRepository(RejectionEntity);
    this.warnings = source.getRepository(RunWarningEntity);
  }

  /** Stores a batch of a run's rejections, unless the caller has lost the run's lease. */
  async addRejections(run: FencedRun, rejections: readonly Rejection[]): Promise<void> {
    await this.pool.query(
      `INSERT INTO rejection (run_id, position, record_id, field, code, message, excerpt)
       SELECT $1, u.* FROM unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) AS u
       WHERE ${STILL_OURS} $8`,
      [
        run.id,
        rejections.map((rejection) => rejection.position),
        rejections.map((rejection) => rejection.recordId ?? null),
        rejections.map((rejection) => rejection.field ?? null),
        rejections.map((rejection) => rejection.code),
        rejections.map((rejection) => rejection.message),
        rejections.map((rejection) => rejection.excerpt ?? null),
        run.fence,
      ],
    );
  }

  /** Stores a batch of a run's warnings, unless the caller has lost the run's lease. */
  async addWarnings(run: FencedRun, warnings: readonly Warning[]): Promise<void> {
    await this.pool.query(
      `INSERT INTO run_warning (run_id, code, field, value, count, examples)
       SELECT $1, w->>'code', w->>'field', w->>'value', (w->>'count')::int,
              ARRAY(SELECT jsonb_array_elements_text(w->'examples'))
       FROM jsonb_array_elements($2::jsonb) AS w WHERE ${STILL_OURS} $3`,
      [run.id, JSON.stringify(warnings), run.fence],
    );
  }

  /** Replaces the lines of an earlier attempt, unless the lease is lost. @param earlier the number of earlier lines */
  async keepLines(run: FencedRun, lines: readonly StoredLogLine[], earlier: number): Promise<void> {
    await this.pool.query(
      `INSERT INTO run_log (run_id, lines, earlier) SELECT $1, $2::jsonb, $4 WHERE ${STILL_OURS} $3
       ON CONFLICT (run_id) DO UPDATE SET lines = EXCLUDED.lines, earlier = EXCLUDED.earlier`,
      [run.id, JSON.stringify(lines), run.fence, earlier],
    );
  }

  /** Removes the rejections, warnings and log lines of an earlier attempt at this run. */
  async clearNotes(runId: number): Promise<void> {
    await this.rejections.delete({ runId });
    await this.warnings.delete({ runId });
  }
}
