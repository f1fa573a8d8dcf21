import { stat, statfs } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Announcements, AuditLog, ServerQuestions, type ServerFacts } from '@passerelle/database';
import {
  brokenServices,
  type DiskSpace,
  type Finding,
  type GatewayRow,
  QUEUE_PATIENCE_SECONDS,
} from '@passerelle/operations';
import { RELEASE } from '@passerelle/settings';
import type { ConsoleConfig } from '../config';
import { CLOCK, type Clock, CONFIG } from '../tokens';

export interface FoundInstallation {
  broken: readonly Finding[];
  server: ServerFacts;
  /** The time of the last `ops backup`, ISO 8601; null for never. */
  backupAt: string | null;
}

@Injectable()
export class Services {
  constructor(
    @Inject(CONFIG) private readonly config: ConsoleConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly server: ServerQuestions,
    private readonly announcements: Announcements,
    private readonly audit: AuditLog,
  ) {}

  async look(rows: readonly GatewayRow[]): Promise<FoundInstallation> {
    const startedMs = Date.now();
    const server = await this.server.facts();
    const tookMs = Date.now() - startedMs;
    const [queue, backups, disks] = await Promise.all([
      this.announcements.facts(QUEUE_PATIENCE_SECONDS),
      this.audit.backups(),
      spaceOf(this.config.inboxDir),
    ]);
    const broken = brokenServices({
      ...{ release: RELEASE, server, queue, disks, rows, now: this.clock(), backups },
      asked: { at: new Date(startedMs + tookMs / 2), tookMs },
    });
    return { broken, server, backupAt: backups.at };
  }
}

/** The disk space at a path; empty when this process cannot see the ingestors' folders. */
async function spaceOf(path: string): Promise<DiskSpace[]> {
  try {
    await stat(path);
    const { bavail, blocks, bsize } = await statfs(path);
    return [{ path, free: bavail * bsize, size: blocks * bsize }];
  } catch {
    return [];
  }
}
