import { isUrl } from '@passerelle/domain';
import { type Finding, good, type InstallationFacts } from './findings';
import { queuedRunsOf } from './pending-decisions';

export function ingestors({ rows, now }: InstallationFacts): Finding {
  const { isStuck, waitedSeconds, waiting, running } = queuedRunsOf(rows, now);
  if (!isStuck) return good('runs', `${waiting} waiting, ${running} under way`);
  return {
    check: 'runs',
    state: 'bad',
    says: `no ingestor takes runs: one has waited for ${Math.round(waitedSeconds / 60)} min`,
    next: "start an ingestor, and check its log and the queue's store",
  };
}

/** The announcer renews its lease every few seconds, so a longer silence is a fault. */
const LONGEST_SILENCE_SECONDS = 60;

export function announcer({ queue }: Pick<InstallationFacts, 'queue'>): Finding | null {
  if (queue === null) return null;
  const { silentSeconds, unannounced, isPaused } = queue;
  if (isPaused) {
    return {
      check: 'queue',
      state: 'bad',
      says: 'it is paused: workers take no runs',
      next: 'restart an ingestor, which resumes it; use "pause" to pause gateways, and "pauses" to list them',
    };
  }
  if (silentSeconds !== null && silentSeconds > LONGEST_SILENCE_SECONDS) {
    const minutes = Math.round(silentSeconds / 60);
    return {
      ...{ check: 'announcer', state: 'bad', says: `no ingestor has added runs to the queue for ${minutes} min` },
      next: 'start an ingestor, or find out why it cannot reach the database',
    };
  }
  if (unannounced === 0) return good('queue', 'it accepts runs');
  const says = `${unannounced} runs are missing from the queue: it accepts no writes`;
  return { check: 'queue', state: 'bad', says, next: "check the queue's store and the ingestor's log" };
}

/** Reports hosts that the newest runs could not reach; hosts with the most gateways come first. */
export function sources({ rows }: InstallationFacts): Finding {
  const hosts = new Map<string, { count: number; reason: string }>();
  for (const { active, paused, failures, failingCode, failingReason, sourceUrl, crm } of rows) {
    if (!active || paused !== null || failures === 0) continue;
    if (failingCode !== 'retry' && failingCode !== 'fix-access') continue;
    const host = sourceUrl !== null && isUrl(sourceUrl) ? new URL(sourceUrl).host || crm : crm;
    const known = hosts.get(host);
    hosts.set(host, { count: (known?.count ?? 0) + 1, reason: known?.reason ?? failingReason ?? '' });
  }
  if (hosts.size === 0) return good('sources', 'every source answered its last request');
  const worst = [...hosts].sort(([, one], [, other]) => other.count - one.count).slice(0, 5);
  return {
    check: 'sources',
    state: 'warn',
    says: worst.map(([host, { count, reason }]) => `${host} (${count}): ${reason}`).join('; '),
    next: 'gateway list --state failing; a host that stays down can be paused: pause --host',
  };
}
