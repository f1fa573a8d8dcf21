import type { QueueFacts } from '@passerelle/database';
import { diagnose, type Finding, type InstallationFacts } from './diagnose';

/** What is known of the programs and stores that an installation is made of. */
export interface ServiceFacts extends Pick<
  InstallationFacts,
  'release' | 'server' | 'asked' | 'disks' | 'rows' | 'now'
> {
  queue: QueueFacts;
  /** When `ops backup` wrote the last one, ISO 8601; null for never. */
  backupAt: string | null;
}

/** Of a doctor's findings, those that somebody who looks at all gateways needs to know. */
const SHOWN = ['database', 'schema', 'releases', 'connections', 'clocks', 'disk', 'runs'];
/** The one that announces has a term of some seconds, and renews it. */
const LONGEST_SILENCE_SECONDS = 60;
const OLDEST_BACKUP_MS = 2 * 86_400_000;

/** What is broken, or will be, the worst first. Nothing where all is well. */
export function brokenServices(facts: ServiceFacts): Finding[] {
  const { queue, backupAt, now } = facts;
  const unknown = { composeRelease: null, badSettings: [], unfit: { keys: 0, sources: [] }, replica: null };
  const findings = diagnose({ ...facts, ...unknown }).filter(({ check }) => SHOWN.includes(check));
  return [...findings, queueFinding(queue), backupFinding(backupAt, now)]
    .filter((finding): finding is Finding => finding !== null && finding.state !== 'good')
    .sort((one, other) => Number(other.state === 'bad') - Number(one.state === 'bad'));
}

function queueFinding({ silentSeconds, unannounced }: QueueFacts): Finding | null {
  if (silentSeconds !== null && silentSeconds > LONGEST_SILENCE_SECONDS) {
    const minutes = Math.round(silentSeconds / 60);
    return {
      ...{ check: 'announcer', state: 'bad', says: `no ingestor has brought runs to the queue for ${minutes} min` },
      next: 'start an ingestor, or look at why it does not reach the database',
    };
  }
  if (unannounced === 0) return null;
  const says = `${unannounced} runs that should be on the queue are not: it takes no writes`;
  return { check: 'queue', state: 'bad', says, next: "look at the queue's store and at the ingestor's log" };
}

function backupFinding(backupAt: string | null, now: Date): Finding | null {
  const next = 'run "backup", and let it be run each day';
  // Whoever backs up by other means has none of ours.
  if (backupAt === null) return null;
  const agedMs = now.getTime() - Date.parse(backupAt);
  if (agedMs < OLDEST_BACKUP_MS) return null;
  return { check: 'backup', state: 'warn', says: `the last one is ${Math.floor(agedMs / 86_400_000)} days old`, next };
}
