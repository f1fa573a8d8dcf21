/** The forms in which a notification is sent. */
export const CHANNEL_KINDS = ['email', 'slack', 'teams', 'webhook'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/**
 * The events that a rule may report. `digest` is a summary each morning; `service` and `backup` are about the
 * installation, and the others about single gateways.
 */
export const NOTIFICATION_EVENTS = [
  ...([
    'failing',
    'held',
    'stale',
    'contract-ending',
    'key-ending',
    'export-failing',
    'export-held',
    'duties',
    'service',
    'backup',
    'digest',
  ] as const),
] as const;
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

/** These end by themselves, and their end is reported too. */
export const RECOVERING: ReadonlySet<NotificationEvent> = new Set([
  'failing',
  'held',
  'stale',
  'export-failing',
  'export-held',
  'duties',
  'service',
  'backup',
]);

/** These are about the installation, so their rules name no gateway. */
export const INSTALLATION_EVENTS: ReadonlySet<NotificationEvent> = new Set(['service', 'backup']);

export const DEFAULT_REPEAT_SECONDS = 6 * 3600;
/** A cause that comes back within this time is not reported again. */
export const SAME_CAUSE_MS = 3_600_000;
const QUIET = /^(?:[01]\d|2[0-3])-(?:[01]\d|2[0-3])$/;

/** Whether the text is two hours of the day, such as `22-07`. */
export function isQuietTime(text: string): boolean {
  return QUIET.test(text) && text.slice(0, 2) !== text.slice(3);
}

/** Whether the channel keeps silent at an hour of the day; the end is not part of the quiet time. */
export function isQuietAt(quiet: string | null, hour: number): boolean {
  if (quiet === null) return false;
  const [from, until] = [Number(quiet.slice(0, 2)), Number(quiet.slice(3))];
  return from < until ? hour >= from && hour < until : hour >= from || hour < until;
}

const HOUR = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Paris', hour: '2-digit', hourCycle: 'h23' });

/** The hour of the day in Europe/Paris, in which quiet times and digests are meant. */
export function hourInParis(now: Date): number {
  return Number(HOUR.format(now));
}

/** The subject of a trouble: a gateway, or a part of the installation such as `queue` or `backup`. */
export type TroubleSubject =
  | { gatewayId: number; service: null; crm: string; client: string }
  | { gatewayId: null; service: string; crm: null; client: null };

/** A trouble now. */
export type Trouble = TroubleSubject & {
  event: Exclude<NotificationEvent, 'digest'>;
  /** One sentence without secrets. */
  reason: string | null;
  /** ISO 8601. */
  since: string | null;
  /** Consecutive failures, or the days that are left. */
  count: number;
  /** Another cause is reported again: the number of days that are left, in steps. */
  cause: string;
};

export interface NotificationRule {
  id: number;
  channelId: number;
  event: NotificationEvent;
  crm: string | null;
  client: string | null;
  afterFailures: number;
  repeatSeconds: number | null;
}

/** A trouble that a rule has reported. */
export type Notice = TroubleSubject & {
  ruleId: number;
  cause: string;
  toldAtMs: number;
  /** Null while the trouble lasts. */
  endedAtMs: number | null;
  /** Whether the gateway is paused now. */
  isPaused: boolean;
  /** Whether the gateway is enabled and its contract lasts; true for the installation. */
  isActive: boolean;
};

export type NoticeKey = Pick<Notice, 'ruleId' | 'gatewayId' | 'service'>;

export interface NoticeItem {
  event: Trouble['event'];
  state: 'new' | 'still' | 'recovered';
  /** Null for the installation. */
  crm: string | null;
  client: string | null;
  /** A part of the installation; absent for a gateway. */
  service?: string;
  reason: string | null;
  since: string | null;
  count: number;
}

/** The results to store and to send. */
export interface DueNotices {
  items: Map<number, NoticeItem[]>;
  told: (NoticeKey & { cause: string })[];
  /** Troubles that came back within an hour: they last again, and are not reported. */
  reopened: NoticeKey[];
  ended: NoticeKey[];
  forgotten: NoticeKey[];
}

const keyOf = ({ ruleId, gatewayId, service }: NoticeKey): string => `${ruleId} ${service ?? gatewayId}`;

const namesOf = ({ crm, client, service }: TroubleSubject): Pick<NoticeItem, 'crm' | 'client' | 'service'> => ({
  ...{ crm, client },
  ...(service !== null && { service }),
});

const isAbout = ({ crm, client }: NotificationRule, of: TroubleSubject): boolean =>
  (crm === null || crm === of.crm) && (client === null || client === of.client);

/**
 * Compares the troubles of all gateways with what was reported. Pure: the caller stores the result in one transaction,
 * so that nothing is lost or sent twice.
 */
export function dueNotices(
  rules: readonly NotificationRule[],
  troubles: readonly Trouble[],
  notices: readonly Notice[],
  nowMs: number,
): DueNotices {
  const due: DueNotices = { items: new Map(), told: [], reopened: [], ended: [], forgotten: [] };
  const known = new Map(notices.map((notice) => [keyOf(notice), notice]));
  const add = (channelId: number, item: NoticeItem): void => {
    due.items.set(channelId, [...(due.items.get(channelId) ?? []), item]);
  };
  for (const rule of rules) {
    const lasting = new Set<string>();
    for (const trouble of troubles) {
      if (trouble.event !== rule.event || !isAbout(rule, trouble)) continue;
      if (trouble.event === 'failing' && trouble.count < rule.afterFailures) continue;
      const { gatewayId, service, reason, since, count, event, cause } = trouble;
      const key = { ruleId: rule.id, gatewayId, service };
      lasting.add(keyOf(key));
      const notice = known.get(keyOf(key));
      const isNew = notice === undefined || notice.cause !== cause || isOver(notice, nowMs);
      if (!isNew && notice.endedAtMs !== null) due.reopened.push(key);
      const isRepeated = !isNew && rule.repeatSeconds !== null && nowMs - notice.toldAtMs >= rule.repeatSeconds * 1000;
      if (!isNew && !isRepeated) continue;
      due.told.push({ ...key, cause });
      add(rule.channelId, { ...{ event, state: isNew ? 'new' : 'still', ...namesOf(trouble), reason, since, count } });
    }
    for (const notice of notices) {
      if (notice.ruleId !== rule.id || lasting.has(keyOf(notice))) continue;
      const { gatewayId, service } = notice;
      const key = { ruleId: rule.id, gatewayId, service };
      if (notice.endedAtMs !== null) {
        if (isOver(notice, nowMs)) due.forgotten.push(key);
        continue;
      }
      // A paused gateway has no runs, so nothing is known about it.
      if (notice.isPaused) continue;
      due.ended.push(key);
      const event = rule.event as Trouble['event'];
      if (notice.isActive && RECOVERING.has(event))
        add(rule.channelId, {
          ...{ event, state: 'recovered', ...namesOf(notice), reason: null, since: null, count: 0 },
        });
    }
  }
  return due;
}

/** Whether the trouble has ended, and was reported so long ago that a new one is reported again. */
function isOver({ endedAtMs, toldAtMs }: Notice, nowMs: number): boolean {
  return endedAtMs !== null && nowMs - toldAtMs >= SAME_CAUSE_MS;
}

/** The data of a notification, as the outbox stores it. */
export type NotificationData =
  | { kind: 'notices'; items: NoticeItem[]; total: number }
  | {
      kind: 'digest';
      gateways: number;
      failing: number;
      held: number;
      stale: number;
      runs: number;
      added: number;
      changed: number;
      removed: number;
    }
  | { kind: 'test' };

/** Messages name at most this number of gateways. */
export const MOST_NAMED = 50;

const MAIL_ADDRESS = /^[^\s@<>,;"]+@[^\s@<>,;"]+$/;
const LONGEST_MAIL_ADDRESS = 254;

/** Whether a text is one e-mail address without a name. */
export function isMailAddress(text: string): boolean {
  return text.length <= LONGEST_MAIL_ADDRESS && MAIL_ADDRESS.test(text);
}
