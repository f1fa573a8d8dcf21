import type { BackupFacts } from '@passerelle/database';
import type { Trouble } from '@passerelle/domain';
import { diagnose } from './diagnose';
import type { Finding, InstallationFacts } from './findings';
import { announcer } from './work-findings';

export interface ServiceFacts extends Pick<
  InstallationFacts,
  'release' | 'server' | 'asked' | 'disks' | 'queue' | 'rows' | 'now'
> {
  backups: Pick<BackupFacts, 'at' | 'failure'>;
}

/** The findings of `ops doctor` that concern every gateway. */
const SHOWN = ['database', 'schema', 'releases', 'connections', 'clocks', 'disk', 'runs', 'announcer', 'queue'];
/** Usually a run is in the queue after seconds; 20,000 runs at the same time take half a minute. */
export const QUEUE_PATIENCE_SECONDS = 120;
const HOUR_MS = 3_600_000;
const OLDEST_BACKUP_MS = 26 * HOUR_MS;

/** Existing and imminent faults, the worst first; empty when everything works. */
export function brokenServices(facts: ServiceFacts): Finding[] {
  const { backups, now } = facts;
  const unknown = {
    composeRelease: null,
    badSettings: [],
    unfit: { fault: null, keys: 0, sources: [] },
    replica: null,
  };
  const findings = diagnose({ ...facts, ...unknown }).filter(({ check }) => SHOWN.includes(check));
  return [...findings, backupFinding(backups, now)]
    .filter((finding): finding is Finding => finding !== null && finding.state !== 'good')
    .sort((one, other) => Number(other.state === 'bad') - Number(one.state === 'bad'));
}

/** The findings that notification rules report. Findings about a disk or a machine are left to alerts. */
export function installationTroubles({
  queue,
  backups,
  now,
}: Pick<ServiceFacts, 'queue' | 'backups' | 'now'>): Trouble[] {
  const troubleOf = (event: 'service' | 'backup', finding: Finding | null): Trouble[] => {
    if (finding === null || finding.state === 'good') return [];
    const subject = { gatewayId: null, service: finding.check, crm: null, client: null };
    const reason = finding.next === null ? finding.says : `${finding.says}: ${finding.next}`;
    return [{ ...subject, event, reason, since: null, count: 1, cause: '' }];
  };
  return [...troubleOf('service', announcer({ queue })), ...troubleOf('backup', backupFinding(backups, now))];
}

export function backupFinding({ at, failure }: ServiceFacts['backups'], now: Date): Finding | null {
  if (failure !== null) {
    const next = 'see the audit for the reason, and run "backup" again';
    return { check: 'backup', state: 'bad', says: 'the last attempt failed', next };
  }
  // Null without a backup: the installation may use another tool. PasserelleBackupNever alerts about missing backups.
  if (at === null) return null;
  const agedMs = now.getTime() - Date.parse(at);
  if (agedMs < OLDEST_BACKUP_MS) return null;
  const next = 'run "backup", and schedule it daily';
  return { check: 'backup', state: 'warn', says: `the last one is ${Math.floor(agedMs / HOUR_MS)} hours old`, next };
}
