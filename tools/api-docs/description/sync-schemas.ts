import { REJECTION_CODES, RUN_STATES } from '@passerelle/domain';
import { FEED_STATES } from '../../../apps/api/src/feed/feed-state';
import { LISTING_STATES } from '../../../apps/api/src/feed/listing-history';
import { closed, integer, type JsonSchema, nullable, string } from './json-schema';

const CHANGES = ['removed', 'added', 'changed'];
const REASONS = ['absent', 'withdrawn', 'rejected'];
const time = (description: string): JsonSchema => ({ type: 'string', format: 'date-time', description });
const nullableTime = (description: string): JsonSchema => ({ ...nullable('string', description), format: 'date-time' });
const token = (description: string): JsonSchema => ({ type: 'string', pattern: '^[A-Za-z0-9_-]{1,32}$', description });
const shortHash = (description: string): JsonSchema => ({ type: 'string', pattern: '^[0-9a-f]{16}$', description });
const approved: JsonSchema = {
  type: 'boolean',
  description:
    'Whether an operator approved the change although the publish gate held it: a client with its own guard should accept it.',
};
const reason: JsonSchema = {
  type: 'string',
  enum: REASONS,
  description:
    'Reason of a removal: the feed no longer has it, says that it is withdrawn, or has a record that cannot be read.',
};

const replaces = string(
  'The former identifier, if the same property was removed under it within 30 days: a site can redirect the old address.',
);

export const SYNC_SCHEMAS: Record<string, JsonSchema> = {
  ManifestLine: {
    ...closed('One property.', {
      affId: string('Identifier; never changes.'),
      empreinte: shortHash('Fingerprint of the normalized property: it changes when the property does, and only then.'),
      photos: shortHash('Fingerprint of its photos only, in their order; absent without photos.'),
    }),
    required: ['affId', 'empreinte'],
  },
  ManifestMeta: closed('Facts about the snapshot.', {
    snapshot: token('Token of the snapshot.'),
    total: integer('How many lines there are.'),
    published_at: time('When the snapshot was published.'),
    confirmed_at: nullableTime('When the source last confirmed it.'),
    hash: {
      type: 'string',
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 over the lines `affId TAB empreinte TAB photos LF`, in order.',
    },
  }),
  Change: {
    ...closed('One property that differs between the two snapshots.', {
      affId: string('Identifier.'),
      affNum: string('Reference that people see.'),
      change: { type: 'string', enum: CHANGES, description: 'The kind of change.' },
      at: time('When the later of its two states was published.'),
      reason,
      approved,
      replaces,
      empreinte: shortHash(
        'As in the manifest: store it after the change is applied; absent when the property was removed.',
      ),
      photos: shortHash('Fingerprint of its photos only; absent without photos, and when it was removed.'),
      property: {
        anyOf: [{ $ref: '#/components/schemas/Property' }, { $ref: '#/components/schemas/RawProperty' }],
        description: 'The property as it is now; absent when it was removed.',
      },
    }),
    required: ['affId', 'change', 'at', 'approved'],
  },
  ChangesMeta: closed('The position of the page in the result, and how many changes there are of each kind.', {
    page: { ...integer('Number of this page.'), minimum: 1 },
    per_page: { ...integer('Changes on a page.'), minimum: 1, maximum: 200 },
    total: integer('All changes.'),
    total_pages: integer('0 when there is no change.'),
    crm: string('Connector code.'),
    client: string('Client slug.'),
    since: token('Token of the older snapshot.'),
    snapshot: token('Token of the newer snapshot: `since` of the next request.'),
    removed: integer('Properties that were removed.'),
    added: integer('Properties that were added.'),
    changed: integer('Properties that were changed.'),
  }),
  Feed: closed('State of a feed.', {
    state: {
      type: 'string',
      enum: FEED_STATES,
      description:
        'fresh: confirmed recently. stale: not confirmed for a while. held: the newest list waits for an operator. ' +
        'failing: the source cannot be read. never: nothing was imported yet.',
    },
    since: nullableTime('Since when it has this state.'),
    reason: {
      type: ['object', 'null'],
      description: 'Why it is not fresh.',
      properties: { code: string('For machines.'), message: string('One sentence for people.') },
      required: ['code', 'message'],
      additionalProperties: false,
    },
    snapshot: nullable('string', 'Token of the snapshot that is served.'),
    total: nullable('integer', 'How many properties it has.'),
    confirmed_at: nullableTime('When the source last confirmed it.'),
    published_at: nullableTime('When it was published.'),
    next_run_at: nullableTime('When the source is read next; null while it is paused without an end.'),
    paused: {
      type: ['object', 'null'],
      description: 'The source is not read at present; the list is still served, and becomes stale as usual.',
      properties: {
        since: time('Since when.'),
        until: nullableTime('Until when; null: until an operator resumes it.'),
        reason: nullable('string', 'Why, in the words of the operator.'),
      },
      required: ['since', 'until', 'reason'],
      additionalProperties: false,
    },
    last_run: {
      type: ['object', 'null'],
      description: 'The last import.',
      properties: {
        state: { type: 'string', enum: RUN_STATES, description: 'How it ended.' },
        started_at: nullableTime('When it began.'),
        ended_at: nullableTime('When it ended.'),
        ...Object.fromEntries(
          ['records', 'added', 'changed', 'unchanged', 'removed', 'rejected'].map((name) => [
            name,
            integer(`How many: ${name}.`),
          ]),
        ),
      },
      additionalProperties: false,
    },
    duties_missing: {
      type: ['object', 'null'],
      description:
        'How many of its properties lack data that the law of their country requires, by the code of the duty ' +
        '(docs/legal.md). Codes without such properties are absent.',
      additionalProperties: { type: 'integer' },
    },
    disabled_webhooks: {
      type: 'array',
      items: { $ref: '#/components/schemas/DisabledWebhook' },
      description: 'Webhooks of the gateway that no longer get messages: add them again.',
    },
    consumer: {
      type: ['object', 'null'],
      description: 'The last report of the site; null when there is none.',
      properties: {
        status: { type: 'string', enum: ['success', 'error'], description: 'How its import ended.' },
        count: nullable('integer', 'Imported items.'),
        message: nullable('string', 'Free text.'),
        site_url: nullable('string', 'Address of the site.'),
        snapshot: nullable('string', 'Token of the snapshot that it has applied.'),
        added: nullable('integer', 'Items added.'),
        updated: nullable('integer', 'Items changed.'),
        removed: nullable('integer', 'Items removed.'),
        failed: {
          type: ['array', 'null'],
          description: 'Items that could not be imported.',
          items: {
            type: 'object',
            properties: { affId: string('The property.'), reason: string('Why.') },
            required: ['affId'],
          },
        },
        plugin: nullable('string', 'Name and version of the plugin.'),
        received_at: time('When the report came.'),
      },
      additionalProperties: false,
    },
  }),
  History: {
    ...closed('Where a property is, or at which step it was lost.', {
      id: string('The identifier of the request.'),
      affId: nullable('string', 'Its identifier; null when it is not known.'),
      state: { type: 'string', enum: LISTING_STATES, description: 'Its state.' },
      explanation: string('One sentence.'),
      since: nullableTime('Since when it has this state.'),
      position: { ...integer("Its position in the feed's order, among the listed properties."), minimum: 1 },
      total: integer('How many properties are listed.'),
      kept_since: time(
        'Present when its record is unreadable: since when its last published version is served instead.',
      ),
      rejection: {
        ...closed('Why its last record was refused.', {
          code: { type: 'string', enum: Object.keys(REJECTION_CODES), description: 'For machines.' },
          field: string('The field of the record.'),
          message: string('For people.'),
          at: time('When.'),
        }),
        required: ['code', 'message', 'at'],
      },
      replaced_by: string('The identifier under which the property came back, if it did.'),
      changes: {
        type: 'array',
        description: 'Its last changes, newest first.',
        items: {
          ...closed('A change.', {
            change: { type: 'string', enum: CHANGES, description: 'The kind of change.' },
            at: time('When it was published.'),
            reason: { ...reason, type: ['string', 'null'], enum: [...REASONS, null] as string[] },
            approved,
            replaces,
          }),
          required: ['change', 'at', 'reason', 'approved'],
        },
      },
    }),
    required: ['id', 'affId', 'state', 'explanation', 'since', 'changes'],
  },
};
