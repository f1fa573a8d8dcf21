import { stat, statfs } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Announcements, AuditLog, ServerQuestions } from '@passerelle/database';
import type { DiskRoom, ServiceFacts } from '@passerelle/operations';
import { RELEASE } from '@passerelle/settings';
import type { ConsoleConfig } from '../config';
import { CLOCK, type Clock, CONFIG } from '../tokens';

/** A run that was asked for is on the queue within seconds; 20,000 at once within half a minute. */
const PATIENCE_SECONDS = 120;

/** Looks at the programs and stores that the installation is made of. */
@Injectable()
export class Services {
  constructor(
    @Inject(CONFIG) private readonly config: ConsoleConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly server: ServerQuestions,
    private readonly announcements: Announcements,
    private readonly audit: AuditLog,
  ) {}

  async facts(): Promise<Omit<ServiceFacts, 'rows'>> {
    const startedMs = Date.now();
    const server = await this.server.facts();
    const tookMs = Date.now() - startedMs;
    const [queue, [backup], disks] = await Promise.all([
      this.announcements.facts(PATIENCE_SECONDS),
      this.audit.list({ act: 'backup', limit: 1 }),
      roomOf(this.config.inboxDir),
    ]);
    return {
      ...{ release: RELEASE, server, queue, disks, now: this.clock(), backupAt: backup?.at ?? null },
      asked: { at: new Date(startedMs + tookMs / 2), tookMs },
    };
  }
}

/** None where this process does not see what the ingestors see. */
async function roomOf(path: string): Promise<DiskRoom[]> {
  try {
    await stat(path);
    const { bavail, blocks, bsize } = await statfs(path);
    return [{ path, free: bavail * bsize, size: blocks * bsize }];
  } catch {
    return [];
  }
}
