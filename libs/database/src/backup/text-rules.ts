import {
  DELIVERY_KINDS,
  isOperatorName,
  isUrl,
  MAX_SLUG_LENGTH,
  PUBLICATION_STATES,
  RUN_STATES,
  RUN_TRIGGERS,
  SLUG_PATTERN,
} from '@passerelle/domain';

/** The form that a text from a file must have before it is stored. */
export interface TextRule {
  /** Completes the message "which must be …". */
  is: string;
  holds: (text: string) => boolean;
}

const pattern = (is: string, form: RegExp): TextRule => ({ is, holds: (text) => form.test(text) });
const oneOf = (words: readonly string[]): TextRule => ({
  is: `one of ${words.join(', ')}`,
  holds: (text) => words.includes(text),
});

/** Any text: the value is only shown or compared, or a constraint of its table restricts it. */
const free: TextRule = { is: 'a text', holds: () => true };
const object: TextRule = { is: 'a JSON object', holds: (text) => isObject(parsed(text)) };
const list: TextRule = { is: 'a JSON list', holds: (text) => Array.isArray(parsed(text)) };
const texts: TextRule = {
  is: 'a JSON object of texts',
  holds: (text) => {
    const value = parsed(text);
    return isObject(value) && Object.values(value).every((one) => typeof one === 'string');
  },
};
const slug: TextRule = {
  is: `at most ${MAX_SLUG_LENGTH} letters, digits, "-" and "_"`,
  holds: (text) => SLUG_PATTERN.test(text) && text.length <= MAX_SLUG_LENGTH,
};
const url: TextRule = {
  is: 'an http(s) address',
  holds: (text) => isUrl(text) && ['http:', 'https:'].includes(new URL(text).protocol),
};
const operatorName: TextRule = { is: "an operator's name", holds: isOperatorName };
const shortHash = pattern('16 hex digits', /^[0-9a-f]{16}$/);
const photoToken = pattern('64 hex digits', /^[0-9a-f]{64}$/);
const photoExtension = pattern('the ending of a photo or document', /^(?:jpg|png|webp|gif|pdf)$/);
const keyId = pattern('8 hex digits', /^[0-9a-f]{8}$/);
const token = pattern('letters, digits, "-" and "_"', /^[\w-]{1,64}$/);
const code = pattern('a code', /^[a-z][a-z0-9_-]{0,63}$/);
const networks = pattern('a list of addresses and networks', /^\{[0-9A-Fa-f.:/,]*\}$/);
const events = pattern('a list of events', /^\{[a-z.,]*\}$/);
/** Requests compare it in constant time with 32 bytes; a hash of another length would fail every request. */
const hash = pattern('32 bytes', /^\\x[0-9a-f]{64}$/);

type Rules = Readonly<Record<string, TextRule>>;

/** A rule for each text or JSON column of each table, and for the columns with the hashes of keys. */
export const TEXT_RULES: Readonly<Record<string, Rules>> = {
  announcer: { holder: free, queue_state: free },
  api_key: { hash, keyed_hash: hash, key_id: keyId, prefix: free, scope: free, networks },
  audit: { who: free, through: free, act: free, crm: slug, client: slug, before: object, after: object, reason: free },
  bucket_gateway: { crm: slug, client: slug, digest: free, lists: list },
  call_address: { hash, prefix: free },
  call_note: { listing: free },
  called_listing: { listing: free },
  connector: { id: slug, label: free, type: free, notes: free, calls: object },
  current_listing: { aff_id: free },
  export_token: { hash, key_id: keyId, prefix: free },
  former_listing: { aff_id: free, house: free, replaced_by: free },
  gateway: { crm: slug, client: slug, source_url: free, settings: texts, feed_memory: object },
  gateway_lease: { holder: free },
  gateway_schedule: { told_state: free },
  host_budget: { key: free },
  installation: { secrets_key_name: keyId },
  kept_listing: { aff_id: free },
  lead: { aff_id: free, error: free, way: free },
  outbox: {
    ...{ kind: oneOf(DELIVERY_KINDS), type: pattern('a type of delivery', /^[a-z]+(\.[a-z]+)?$/) },
    ...{
      message_id: pattern('an id of a message', /^[0-9a-z_-]{1,64}$/),
      aff_id: free,
      data: object,
      state: free,
      answer: free,
      error: free,
      way: free,
    },
  },
  listing_change: {
    ...{ kind: free, aff_id: free, aff_num: free, reason: free, replaces: free },
    ...{ empreinte: shortHash, previous_empreinte: shortHash },
  },
  listing_normalized: { body: object },
  listing_photo: {
    ...{ name: free, folder: free, refusal: free },
    ...{ token: photoToken, extension: photoExtension, empreinte: shortHash },
  },
  listing_raw: { body: object },
  listing_search: { fields: { is: 'JSON', holds: (text) => parsed(text) !== undefined } },
  listing_version: {
    ...{ aff_id: free, aff_num: free, scope: free, record_hash: free, content_hash: free, revision: free },
    ...{ empreinte: shortHash, photos_empreinte: shortHash },
  },
  notification_channel: { kind: free, shown: free, quiet: free },
  notification_rule: { event: free, crm: slug, client: slug },
  notification_notice: { cause: free },
  notification_service_notice: { service: free, cause: free },
  operator_network: { operator: operatorName, network: free },
  operator: { name: operatorName, role: free, password_hash: free, subject: free },
  pause: { crm: slug, host: free, reason: free, paused_by: free },
  placement: {
    ...{ target: pattern('a code of a target', /^[a-z0-9-]{1,40}$/), contact: texts, rule: object, id_scheme: free },
    ...{
      advert_ids: texts,
      language: free,
      settings: texts,
      failure: free,
      held: object,
      result: free,
      counts: object,
    },
    ...{ config_hash: free, document_hash: free },
  },
  placement_document: { hash: free, content_type: pattern('a content type', /^[\w/+.;= -]{1,100}$/) },
  publication: {
    ...{ aff_id: free, advert_id: free, state: oneOf(PUBLICATION_STATES), hash: free, portal_id: free, intent: free },
    ...{ intent_hash: free, reason_code: code, reason: free, url, removal: free },
  },
  rejection: { record_id: free, field: free, code: free, message: free, excerpt: free },
  report: { status: free, message: free, site_url: free, snapshot: free, failed: list, plugin: free },
  request_place: { key: free },
  run: {
    ...{ trigger: oneOf(RUN_TRIGGERS), state: oneOf(RUN_STATES), feed_memory: object, reason_code: code, reason: free },
    ...{ verdict: list, decided_by: free, decision_reason: free, difference: object },
    ...{ request_id: free, asked_by: free, worker: free, kept: free, revert_to: token, revert_reason: free },
  },
  run_log: { lines: list },
  run_warning: { code: free, field: free, value: free, examples: free },
  saved_view: { name: free, query: free, saved_by: free },
  follow_up: { note: free, assignee: free, written_by: free },
  sign_in_link: { operator: operatorName },
  snapshot: { fill: object, token, duties: object },
  source_feedback: { listing: free, status: free, reason: free },
  source_feedback_due: { error: free },
  webhook_delivery: { state: free, answer: free, error: free },
  webhook_endpoint: { url, events, disabled_reason: free },
  webhook_event: { message_id: token, type: pattern('an event', /^[a-z]+\.[a-z]+$/), data: object },
};

/** The rules of a table, without those that are `free`. */
export function rulesOf(table: string): Rules {
  const rules = Object.hasOwn(TEXT_RULES, table) ? TEXT_RULES[table]! : {};
  return Object.fromEntries(Object.entries(rules).filter(([, rule]) => rule !== free));
}

/** Undefined for a text that is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
