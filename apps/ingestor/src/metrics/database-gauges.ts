import type { ConnectorFigures } from '@passerelle/database';
import { DUTY_CODES } from '@passerelle/domain';

/** One value of a metric; null omits the line. */
export interface Sample {
  labels: Readonly<Record<string, string>>;
  value: number | null;
}

/** The name and meaning of a metric; docs/operations.md has the same list. */
export interface MetricHead {
  /** The name ends in the metric's unit if it has one, and in `_total` if the metric only grows. */
  name: string;
  help: string;
  /** Labels in addition to `connector`. */
  labels?: readonly string[];
}

/** A gauge that every process reads from the same database: aggregate it over processes with the maximum, never the sum. */
export interface DatabaseGauge extends MetricHead {
  samples: (figures: ConnectorFigures) => Sample[];
}

export const DATABASE_GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'passerelle_snapshot_age_seconds',
    help: 'Time since the source confirmed the freshest and the stalest snapshot, over active gateways',
    labels: ['which'],
    samples: (figures) => [
      { labels: { which: 'freshest' }, value: figures.freshestSeconds },
      { labels: { which: 'stalest' }, value: figures.stalestSeconds },
    ],
  },
  {
    name: 'passerelle_gateways',
    help: 'Gateways that are active, paused, were disabled, or are past the end of their contract',
    labels: ['state'],
    samples: ({ active, paused, disabled, expired }) => byLabel('state', { active, paused, disabled, expired }),
  },
  {
    name: 'passerelle_gateways_failing',
    help: 'Active gateways whose last run failed',
    samples: ({ failing }) => single(failing),
  },
  {
    name: 'passerelle_gateways_failing_longest_seconds',
    help: 'Longest time that an active gateway has been failing; 0 when none fails',
    samples: ({ longestFailingSeconds }) => single(longestFailingSeconds ?? 0),
  },
  {
    name: 'passerelle_gateways_without_snapshot',
    help: 'Active gateways that have never published',
    samples: ({ withoutSnapshot }) => single(withoutSnapshot),
  },
  {
    name: 'passerelle_gateways_overdue',
    help: 'Active gateways whose snapshot was last confirmed more than three of their periods ago',
    samples: ({ overdue }) => single(overdue),
  },
  {
    name: 'passerelle_gateways_confirmed_ahead',
    help: "Active gateways whose last confirmation is in the future of the database's clock: that clock was put back",
    samples: ({ confirmedAhead }) => single(confirmedAhead),
  },
  {
    name: 'passerelle_listings',
    help: 'Listings that active and paused gateways serve',
    samples: ({ listings }) => single(listings),
  },
  {
    name: 'passerelle_listings_duty_missing',
    help: 'Listings of active and paused gateways that lack data required by law, by the code of the duty',
    labels: ['code'],
    samples: ({ duties }) =>
      DUTY_CODES.flatMap((code) => (code in duties ? [{ labels: { code }, value: duties[code] ?? null }] : [])),
  },
  {
    name: 'passerelle_missed_runs',
    help: 'Scheduled runs that never started because no ingestor was running, since the gateways were added',
    samples: ({ missedRuns }) => single(missedRuns),
  },
  {
    name: 'passerelle_runs_held',
    help: 'Held runs that wait for an operator to publish or discard them',
    samples: ({ held }) => single(held),
  },
  {
    name: 'passerelle_queue_runs',
    help: 'Runs that are not over: they wait, are under way, or have lost their worker',
    labels: ['state'],
    samples: ({ waiting, running, abandoned }) => byLabel('state', { waiting, running, abandoned }),
  },
  {
    name: 'passerelle_queue_oldest_waiting_seconds',
    help: 'Longest time that a run has been waiting; 0 when none waits',
    samples: ({ oldestWaitingSeconds }) => single(oldestWaitingSeconds ?? 0),
  },
  {
    name: 'passerelle_webhooks_disabled',
    help: 'Webhooks that no longer get messages: they answered 410, or failed for three days',
    samples: ({ webhooksDisabled }) => single(webhooksDisabled),
  },
  {
    name: 'passerelle_webhook_pending',
    help: 'Messages to webhooks that are still to be sent, where the last one arrived and where it failed',
    labels: ['webhook'],
    samples: ({ webhookMessages: { well, failing } }) =>
      byLabel('webhook', { well: well.pending, failing: failing.pending }),
  },
  {
    name: 'passerelle_webhook_oldest_pending_seconds',
    help: 'Time since the event of the oldest message that is still to be sent; 0 when there is none',
    labels: ['webhook'],
    samples: ({ webhookMessages: { well, failing } }) =>
      byLabel('webhook', { well: well.oldestSeconds ?? 0, failing: failing.oldestSeconds ?? 0 }),
  },
  {
    name: 'passerelle_leads_waiting',
    help: 'Leads of visitors that are not delivered yet',
    samples: ({ leads }) => single(leads.waiting),
  },
  {
    name: 'passerelle_lead_oldest_waiting_seconds',
    help: 'Longest time that a lead has been waiting; 0 when none waits',
    samples: ({ leads }) => single(leads.oldestSeconds ?? 0),
  },
  {
    name: 'passerelle_feedback_waiting',
    help: 'Listings whose feedback to the source is still waiting',
    samples: ({ feedback }) => single(feedback.waiting),
  },
  {
    name: 'passerelle_feedback_oldest_waiting_seconds',
    help: 'Longest time that feedback has been waiting for its source; 0 when none waits',
    samples: ({ feedback }) => single(feedback.oldestSeconds ?? 0),
  },
  {
    name: 'passerelle_calls_waiting',
    help: 'Listings that CRMs named in calls and that still wait for a run',
    samples: ({ webhooksWaiting }) => single(webhooksWaiting),
  },
  {
    name: 'passerelle_calls_oldest_waiting_seconds',
    help: 'Longest time that a call of a CRM has been waiting for a run; 0 when none waits',
    samples: ({ oldestWebhookSeconds }) => single(oldestWebhookSeconds ?? 0),
  },
  {
    name: 'passerelle_placement_failing_longest_seconds',
    help: 'Longest time that the exports of a placement have been failing; 0 when none fails',
    samples: ({ exports }) => single(exports.longestFailingSeconds ?? 0),
  },
  {
    name: 'passerelle_placements_held',
    help: 'Placements whose export waits for an operator to approve it',
    samples: ({ exports }) => single(exports.held),
  },
  {
    name: 'passerelle_adverts',
    help: 'Listings that are ready for their portals, and adverts that the portals refuse, by the last exports',
    labels: ['state'],
    samples: ({ exports: { ready, refused } }) => byLabel('state', { ready, refused }),
  },
  {
    name: 'passerelle_advert_oldest_unanswered_seconds',
    help: 'Longest time that an advert or its removal has been waiting for the answer of its portal; 0 when none waits',
    samples: ({ exports }) => single(exports.oldestUnansweredSeconds ?? 0),
  },
];

function single(value: number): Sample[] {
  return [{ labels: {}, value }];
}

function byLabel(label: string, values: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));
}
