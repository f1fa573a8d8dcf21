import { COMPRESSED, WHOLE } from './text-storage';

/** A table whose rows each belong to one gateway and are in that gateway's partition. */
export interface PartitionedTable {
  name: string;
  /** The columns of the primary key, in the order of the index; null when no query uses a key. */
  key: string | null;
  /**
   * The key in a divided database: entries of one gateway are adjacent, so a page needs few index blocks. Not for a
   * table whose other index begins with the gateway: the planner may use the wrong index. See `joinText`.
   */
  gatewayFirst?: string;
  /** The table to which the rows belong, in the same partition; absent when they belong only to their gateway. */
  belongsTo?: { column: string; table: 'snapshot' | 'listing_version'; action: string };
  /** Whether a trigger on the table that rows belong to removes them; then no foreign key looks up each new row. */
  isRemovedByTrigger?: boolean;
  /** Whether foreign keys look up rows by the last index of the table, instead of by its key. */
  isKeyFirst?: boolean;
  /** Other indexes, by name. */
  indexes: Readonly<Record<string, string>>;
  /** Storage parameters of each partition. */
  settings: readonly string[];
}

// By default vacuum waits for a fifth of a partition: too long when a few gateways change a lot.
const CHANGING = ['autovacuum_vacuum_scale_factor = 0.05', 'autovacuum_analyze_scale_factor = 0.05'];
// Rows are added, and removed only much later: freeze new rows and mark them as visible soon.
const GROWING = [...CHANGING, 'autovacuum_vacuum_insert_scale_factor = 0.1'];

const ofVersion = (action = 'ON DELETE CASCADE'): NonNullable<PartitionedTable['belongsTo']> => ({
  column: 'version_id',
  table: 'listing_version',
  action,
});
const text = (name: string, storage: string): PartitionedTable => ({
  name,
  key: 'version_id, gateway_id',
  gatewayFirst: 'gateway_id, version_id',
  belongsTo: ofVersion(),
  isRemovedByTrigger: true,
  indexes: {},
  settings: [...GROWING, storage],
});

/** The tables that are divided by gateway, each after the table that its rows belong to: docs/decisions/0064. */
export const PARTITIONED_TABLES: readonly PartitionedTable[] = [
  {
    name: 'snapshot',
    key: 'id, gateway_id',
    indexes: {
      snapshot_of_gateway: '(gateway_id, id DESC)',
      snapshot_token: 'UNIQUE (gateway_id, token)',
      snapshot_readable: '(gateway_id, id) WHERE pruned_at IS NULL',
      snapshot_pruned: '(pruned_at) WHERE pruned_at IS NOT NULL',
    },
    settings: CHANGING,
  },
  {
    name: 'listing_version',
    key: 'id, gateway_id',
    indexes: {
      listing_version_aff_num: '(gateway_id, aff_num)',
      listing_version_snapshot: '(snapshot_id, gateway_id)',
    },
    settings: GROWING,
  },
  {
    name: 'snapshot_chunk',
    key: 'snapshot_id, gateway_id, chunk',
    belongsTo: { column: 'snapshot_id', table: 'snapshot', action: 'ON DELETE CASCADE' },
    indexes: {},
    settings: CHANGING,
  },
  text('listing_normalized', COMPRESSED),
  text('listing_raw', COMPRESSED),
  // Its words are hashes.
  text('listing_search', WHOLE),
  {
    name: 'listing_photo',
    key: 'version_id, gateway_id, position',
    belongsTo: ofVersion(),
    indexes: {
      listing_photo_name: '(gateway_id, name)',
      listing_photo_token: '(token) WHERE token IS NOT NULL',
    },
    settings: GROWING,
  },
  {
    name: 'current_listing',
    key: 'gateway_id, aff_id',
    isKeyFirst: true,
    // Deleting a gateway deletes both rows, so the constraint is checked at the end of the transaction.
    belongsTo: ofVersion('DEFERRABLE INITIALLY DEFERRED'),
    indexes: { current_listing_of_version: '(version_id, gateway_id)' },
    settings: CHANGING,
  },
  {
    name: 'listing_change',
    key: null,
    indexes: {
      listing_change_at: 'USING brin (at)',
      listing_change_of_listing: '(gateway_id, aff_id, snapshot_id DESC)',
      listing_change_of_snapshot: '(snapshot_id, gateway_id)',
    },
    settings: GROWING,
  },
];

export function partitionName(table: string, partition: number): string {
  return `${table}_p${partition}`;
}

/** SQL of the foreign key from a partition to the partition with the same number. */
export function belongingOf({ name, belongsTo }: PartitionedTable, partition: number, validity = ''): string {
  if (belongsTo === undefined) return '';
  const { column, table, action } = belongsTo;
  const constraint = `${partitionName(name, partition)}_${column}_fkey`;
  return `ALTER TABLE ${partitionName(name, partition)} ADD CONSTRAINT ${constraint}
    FOREIGN KEY (${column}, gateway_id) REFERENCES ${partitionName(table, partition)} (id, gateway_id) ${action} ${validity}`;
}

export function indexOn(table: string, index: string, form: string, how = ''): string {
  const columns = form.replace(/^UNIQUE /, '');
  return `CREATE ${columns === form ? '' : 'UNIQUE '}INDEX ${how} ${index} ON ${table} ${columns}`;
}

/** Among equally good indexes the planner prefers the younger one, so the index for foreign keys is created last. */
export function keysOf({ name, key, indexes, isKeyFirst = false }: PartitionedTable): string[] {
  const keys = key === null ? [] : [`ALTER TABLE ${name} ADD CONSTRAINT ${name}_pkey PRIMARY KEY (${key})`];
  const others = Object.entries(indexes).map(([index, form]) => indexOn(name, index, form));
  return isKeyFirst ? [...keys, ...others] : [...others, ...keys];
}
