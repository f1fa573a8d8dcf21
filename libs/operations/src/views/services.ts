import { diagnose, type Finding, type InstallationFacts } from './diagnose';

/** What is known of the programs and stores that an installation is made of. */
export interface ServiceFacts extends Pick<
  InstallationFacts,
  'release' | 'server' | 'asked' | 'disks' | 'queue' | 'rows' | 'now'
> {
  /** When `ops backup` wrote the last one, ISO 8601; null for never. */
  backupAt: string | null;
}

/** Findings of the doctor that concern every gateway. */
const SHOWN = ['database', 'schema', 'releases', 'connections', 'clocks', 'disk', 'runs', 'announcer', 'queue'];
/** A run is on the queue within seconds; 20,000 at the same time within half a minute. */
export const QUEUE_PATIENCE_SECONDS = 120;
const OLDEST_BACKUP_MS = 2 * 86_400_000;

/** What is broken, or will be, the worst first. Nothing where all is well. */
export function brokenServices(facts: ServiceFacts): Finding[] {
  const { backupAt, now } = facts;
  const unknown = { composeRelease: null, badSettings: [], unfit: { keys: 0, sources: [] }, replica: null };
  const findings = diagnose({ ...facts, ...unknown }).filter(({ check }) => SHOWN.includes(check));
  return [...findings, backupFinding(backupAt, now)]
    .filter((finding): finding is Finding => finding !== null && finding.state !== 'good')
    .sort((one, other) => Number(other.state === 'bad') - Number(one.state === 'bad'));
}

function backupFinding(backupAt: string | null, now: Date): Finding | null {
  const next = 'run "backup", and let it be run each day';
  // Whoever backs up by other means has none of ours.
  if (backupAt === null) return null;
  const agedMs = now.getTime() - Date.parse(backupAt);
  if (agedMs < OLDEST_BACKUP_MS) return null;
  return { check: 'backup', state: 'warn', says: `the last one is ${Math.floor(agedMs / 86_400_000)} days old`, next };
}
