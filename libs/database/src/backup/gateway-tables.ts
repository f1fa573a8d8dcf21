import pg from 'pg';
import { PARTITIONED_TABLES, partitionName } from '../partitions/partitioned-tables';

/** Tables whose rows other rows refer to by number. The rows get new numbers in another database. */
export type Numbered =
  'gateway' | 'run' | 'snapshot' | 'listing_version' | 'webhook_endpoint' | 'webhook_event' | 'placement';

export interface GatewayTable {
  table: string;
  /** The column that identifies the gateway of a row, and the kind of number in it. */
  key: string;
  of: Numbered;
}

const direct = (table: string): GatewayTable => ({ table, key: 'gateway_id', of: 'gateway' });

/** All tables that move with a gateway, each after the tables that it refers to. */
export const GATEWAY_TABLES: readonly GatewayTable[] = [
  { table: 'gateway', key: 'id', of: 'gateway' },
  ...['run', 'snapshot', 'listing_version', 'webhook_endpoint', 'webhook_event', 'placement'].map(direct),
  ...['publication', 'placement_document'].map(direct),
  ...['gateway_schedule', 'api_key', 'export_token', 'call_address', 'call_note', 'called_listing'].map(direct),
  ...['source_detail', 'source_feedback', 'source_feedback_due', 'report', 'lead', 'outbox', 'walk'].map(direct),
  ...['rejection', 'run_warning', 'run_log'].map((table): GatewayTable => ({ table, key: 'run_id', of: 'run' })),
  ...['snapshot_chunk', 'listing_normalized', 'listing_raw', 'listing_search', 'listing_photo'].map(direct),
  ...['current_listing', 'listing_change', 'kept_listing', 'former_listing', 'revert_guard'].map(direct),
  { table: 'webhook_delivery', key: 'endpoint_id', of: 'webhook_endpoint' },
];

/** Tables that are not moved: they belong to the installation, to its operators, or to its running processes. */
export const TABLES_LEFT: readonly string[] = [
  ...[
    'schema_migration',
    'installation',
    'connector',
    'announcer',
    'host_budget',
    'source_credential',
    'source_answer',
    'request_place',
    'gateway_lease',
    'bucket_gateway',
    'bucket_report',
    'presented_key',
  ],
  ...['notification_channel', 'notification_rule', 'notification_notice', 'notification_service_notice'],
  ...['audit', 'operator', 'operator_network', 'sign_in_link', 'saved_view', 'pause', 'follow_up', 'installation_day'],
];

/** Columns that refer to rows by number, even to deleted rows, because history outlives them. */
export const REFERENCES: Readonly<Record<string, Numbered>> = {
  ...{ gateway_id: 'gateway', run_id: 'run', folded_to: 'run' },
  ...{ snapshot_id: 'snapshot', base_snapshot_id: 'snapshot', current_snapshot_id: 'snapshot' },
  ...{ version_id: 'listing_version', previous_version_id: 'listing_version', version_ids: 'listing_version' },
  ...{ endpoint_id: 'webhook_endpoint', event_id: 'webhook_event', placement_id: 'placement' },
};

/** Columns that refer to rows which stay behind. No row of a gateway has a value here. */
export const REFERENCES_LEFT: readonly string[] = ['channel_id'];

export function isNumbered(table: string): table is Numbered {
  return ['gateway', 'run', 'snapshot', 'listing_version', 'webhook_endpoint', 'webhook_event', 'placement'].includes(
    table,
  );
}

/** The numbers of the gateways in each part of the tables. A database that is not divided has one part. */
export async function gatewaysByPartition(client: pg.Client): Promise<number[][]> {
  const { rows } = await client.query<{ ids: number[] }>(
    `SELECT ARRAY(
       SELECT id FROM gateway WHERE satisfies_hash_partition('public.snapshot'::regclass, i.parts, part, id) ORDER BY id) AS ids
     FROM (SELECT coalesce((SELECT parts FROM installation), 1) AS parts) i, generate_series(0, i.parts - 1) part ORDER BY part`,
  );
  return rows.map(({ ids }) => ids);
}

/** Tables that also have rows of no gateway: notifications to operators are in the outbox. */
export const TABLES_OF_MORE: readonly string[] = ['outbox'];

/** SQL sources of a table's rows: a table name with an optional condition, one per part for rows of gateways. */
export function sourcesOf(table: string, gateways: readonly number[][]): string[] {
  const ofGateways = GATEWAY_TABLES.find((one) => one.table === table);
  if (ofGateways === undefined || gateways.length === 1) return [pg.escapeIdentifier(table)];
  // If the table is divided into these parts, select each whole part without a condition.
  const isDivided = PARTITIONED_TABLES.some(({ name }) => name === table);
  const parts = gateways.map((ids, part) => (isDivided ? partitionName(table, part) : sourceOf(ofGateways, ids)));
  return TABLES_OF_MORE.includes(table) ? [...parts, `${table} WHERE ${ofGateways.key} IS NULL`] : parts;
}

export function sourceOf({ table, key, of }: GatewayTable, gateways: readonly number[]): string {
  // Name every number, so that the planner knows how few they are.
  const ids = `ANY ('{${gateways.join()}}')`;
  const condition = of === 'gateway' ? `${key} = ${ids}` : `${key} IN (SELECT id FROM ${of} WHERE gateway_id = ${ids})`;
  return `${table} WHERE ${condition}`;
}
