/** The forms in which a notification is sent. */
export const CHANNEL_KINDS = ['email', 'slack', 'teams', 'webhook'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** The events that a rule may report. `digest` is a summary each morning; the others are about single gateways. */
export const NOTIFICATION_EVENTS = [
  ...([
    'failing',
    'held',
    'stale',
    'contract-ending',
    'key-ending',
    'export-failing',
    'export-held',
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
]);

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

/** A trouble of one gateway now. */
export interface Trouble {
  event: Exclude<NotificationEvent, 'digest'>;
  gatewayId: number;
  crm: string;
  client: string;
  /** One sentence without secrets. */
  reason: string | null;
  /** ISO 8601. */
  since: string | null;
  /** Consecutive failures, or the days that are left. */
  count: number;
  /** Another cause is reported again: the number of days that are left, in steps. */
  cause: string;
}

export interface NotificationRule {
  id: number;
  channelId: number;
  event: NotificationEvent;
  crm: string | null;
  client: string | null;
  afterFailures: number;
  repeatSeconds: number | null;
}

/** A trouble of a gateway that a rule has reported. */
export interface Notice {
  ruleId: number;
  gatewayId: number;
  crm: string;
  client: string;
  cause: string;
  toldAtMs: number;
  /** Null while the trouble lasts. */
  endedAtMs: number | null;
  /** Whether the gateway is paused now. */
  isPaused: boolean;
  /** Whether the gateway is enabled and its contract lasts. */
  isActive: boolean;
}

export interface NoticeItem {
  event: Trouble['event'];
  state: 'new' | 'still' | 'recovered';
  crm: string;
  client: string;
  reason: string | null;
  since: string | null;
  count: number;
}

/** The results to store and to send. */
export interface DueNotices {
  items: Map<number, NoticeItem[]>;
  told: Pick<Notice, 'ruleId' | 'gatewayId' | 'cause'>[];
  /** Troubles that came back within an hour: they last again, and are not reported. */
  reopened: Pick<Notice, 'ruleId' | 'gatewayId'>[];
  ended: Pick<Notice, 'ruleId' | 'gatewayId'>[];
  forgotten: Pick<Notice, 'ruleId' | 'gatewayId'>[];
}

const isAbout = ({ crm, client }: NotificationRule, of: Pick<Trouble, 'crm' | 'client'>): boolean =>
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
  const known = new Map(notices.map((notice) => [`${notice.ruleId} ${notice.gatewayId}`, notice]));
  const add = (channelId: number, item: NoticeItem): void => {
    due.items.set(channelId, [...(due.items.get(channelId) ?? []), item]);
  };
  for (const rule of rules) {
    const lasting = new Set<number>();
    for (const trouble of troubles) {
      if (trouble.event !== rule.event || !isAbout(rule, trouble)) continue;
      if (trouble.event === 'failing' && trouble.count < rule.afterFailures) continue;
      const { gatewayId, crm, client, reason, since, count, event, cause } = trouble;
      lasting.add(gatewayId);
      const notice = known.get(`${rule.id} ${gatewayId}`);
      const key = { ruleId: rule.id, gatewayId };
      const isNew = notice === undefined || notice.cause !== cause || isOver(notice, nowMs);
      if (!isNew && notice.endedAtMs !== null) due.reopened.push(key);
      const isRepeated = !isNew && rule.repeatSeconds !== null && nowMs - notice.toldAtMs >= rule.repeatSeconds * 1000;
      if (!isNew && !isRepeated) continue;
      due.told.push({ ...key, cause });
      add(rule.channelId, { ...{ event, state: isNew ? 'new' : 'still', crm, client, reason, since, count } });
    }
    for (const notice of notices) {
      if (notice.ruleId !== rule.id || lasting.has(notice.gatewayId)) continue;
      const { gatewayId, crm, client } = notice;
      const key = { ruleId: rule.id, gatewayId };
      if (notice.endedAtMs !== null) {
        if (isOver(notice, nowMs)) due.forgotten.push(key);
        continue;
      }
      // A paused gateway has no runs, so nothing is known about it.
      if (notice.isPaused) continue;
      due.ended.push(key);
      const event = rule.event as Trouble['event'];
      if (notice.isActive && RECOVERING.has(event))
        add(rule.channelId, { ...{ event, state: 'recovered', crm, client, reason: null, since: null, count: 0 } });
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

const EVENT_WORDS: Readonly<Record<Trouble['event'], readonly [one: string, several: string]>> = {
  failing: ['fails', 'fail'],
  held: ['waits for a decision', 'wait for a decision'],
  stale: ['is not confirmed in time', 'are not confirmed in time'],
  'contract-ending': ['has a contract that ends soon', 'have contracts that end soon'],
  'key-ending': ['has a key that ends soon', 'have keys that end soon'],
  'export-failing': ['has an export that fails', 'have exports that fail'],
  'export-held': ['has an export that waits for a decision', 'have exports that wait for a decision'],
};

/** A notification in words: a title of one line, and the text. */
export function composeNotification(data: NotificationData): { title: string; text: string } {
  if (data.kind === 'test') return { title: 'Passerelle: a test', text: 'This channel works.' };
  if (data.kind === 'digest') {
    const { gateways, failing, held, stale, runs, added, changed, removed } = data;
    return {
      title: `Passerelle: ${failing + held + stale === 0 ? 'nothing waits' : `${failing} failing, ${held} held, ${stale} stale`}`,
      text:
        `Gateways: ${gateways}. Failing: ${failing}, held: ${held}, stale: ${stale}.\n` +
        `In the last 24 hours: ${runs} runs; listings added: ${added}, changed: ${changed}, removed: ${removed}.`,
    };
  }
  const { items, total } = data;
  const more = total - items.length;
  return {
    title: `Passerelle: ${titleOf(items, total)}`,
    text: [...items.map(lineOf), ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'),
  };
}

function titleOf(items: readonly NoticeItem[], total: number): string {
  const [first] = items;
  if (first === undefined) return '';
  const name = `${first.crm}/${first.client}`;
  const isAlike = items.every(({ event, state }) => event === first.event && state === first.state);
  if (!isAlike) return `${total} reports`;
  if (first.state === 'recovered') return total === 1 ? `${name} has recovered` : `${total} gateways have recovered`;
  const still = first.state === 'still' ? ' still' : '';
  const [one, several] = EVENT_WORDS[first.event];
  return total === 1 ? `${name}${still} ${one}` : `${total} gateways${still} ${several}`;
}

function lineOf({ event, state, crm, client, reason, since, count }: NoticeItem): string {
  const name = `${crm}/${client}`;
  if (state === 'recovered') return `${name} has recovered (${event})`;
  const details = [
    ...(event === 'failing' && count > 1 ? [`${count} times in succession`] : []),
    ...(since === null ? [] : [`since ${since.slice(0, 16).replace('T', ' ')} UTC`]),
  ].join(', ');
  const what = EVENT_WORDS[event][0];
  return `${name}${state === 'still' ? ' still' : ''} ${what}${details === '' ? '' : ` (${details})`}${reason === null ? '' : `: ${reason}`}`;
}

/** A reason may quote a source, and Slack reads `<!channel>` as a mention and `<https://…|text>` as a link. */
function plainForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The body of a request to a channel; `webhook` has the data itself. */
export function bodyFor(kind: Exclude<ChannelKind, 'email'>, data: NotificationData, at: string): string {
  const { title, text } = composeNotification(data);
  switch (kind) {
    case 'slack':
      return JSON.stringify({ text: `*${plainForSlack(title)}*\n${plainForSlack(text)}` });
    case 'teams': {
      const body = [
        { type: 'TextBlock', text: title, weight: 'Bolder', wrap: true },
        ...text.split('\n').map((line) => ({ type: 'TextBlock', text: line.replace(/[[\]]/g, '\\$&'), wrap: true })),
      ];
      const content = {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body,
      };
      const attachments = [{ contentType: 'application/vnd.microsoft.card.adaptive', content }];
      return JSON.stringify({ type: 'message', attachments });
    }
    case 'webhook':
      return JSON.stringify({ type: `operator.${data.kind}`, timestamp: at, data: { ...data, title, text } });
  }
}

const MAIL_ADDRESS = /^[^\s@<>,;"]+@[^\s@<>,;"]+$/;
const LONGEST_MAIL_ADDRESS = 254;

/** Whether a text is one e-mail address without a name. */
export function isMailAddress(text: string): boolean {
  return text.length <= LONGEST_MAIL_ADDRESS && MAIL_ADDRESS.test(text);
}
