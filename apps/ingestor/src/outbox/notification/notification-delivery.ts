import type { OutboundPosts } from '@passerelle/connectors';
import type {
  Announcements,
  AuditLog,
  ChannelAddress,
  ClaimedDelivery,
  NotificationChannels,
  NotificationNotices,
} from '@passerelle/database';
import {
  bodyFor,
  composeNotification,
  DEFAULT_REPEAT_SECONDS,
  ENDLESS_PAUSES_MS,
  type NotificationData,
  type SecretBox,
  signWebhook,
  type Trouble,
} from '@passerelle/domain';
import { installationTroubles, QUEUE_PATIENCE_SECONDS } from '@passerelle/operations';
import { defineDelivery, type Delivery, DeliveryFailed, type Sent } from '../define-delivery';
import type { Mailer } from '../lead/mailer';

/** How often the troubles of all gateways are compared with what was reported. */
const COMPARE_MS = 15_000;
/** A notification that could not be sent for three days is no news. */
const TRIES = 80;

/** The rules of a new channel of the setting NOTIFY_EMAIL. */
const USUAL_RULES = [
  { event: 'held', afterFailures: 1, repeatSeconds: DEFAULT_REPEAT_SECONDS },
  { event: 'failing', afterFailures: 3, repeatSeconds: DEFAULT_REPEAT_SECONDS },
  { event: 'service', afterFailures: 1, repeatSeconds: DEFAULT_REPEAT_SECONDS },
  { event: 'backup', afterFailures: 1, repeatSeconds: 24 * 3600 },
] as const;

interface NotificationDependencies {
  channels: NotificationChannels;
  notices: NotificationNotices;
  announcements: Announcements;
  audit: AuditLog;
  mailer: Mailer;
  posts: OutboundPosts;
  box: SecretBox | null;
  notifyEmail: readonly string[];
  snapshotTtlSeconds: number;
}

/** Notifications to operators: by e-mail, to Slack or Teams, or as signed JSON. */
export function notificationDelivery(dependencies: NotificationDependencies): Delivery {
  const { channels, notices, announcements, audit, mailer, posts, box, notifyEmail, snapshotTtlSeconds } = dependencies;
  let comparedAtMs = -COMPARE_MS;
  let isSettingFollowed = false;
  return defineDelivery({
    kind: 'notification',
    orderKey: 'channel',
    tries: TRIES,
    pausesMs: ENDLESS_PAUSES_MS,
    timeoutMs: 60_000,
    atOnce: 20,
    retriedAtOnce: 10,
    urgent: ['test'],

    async send(delivery, signal) {
      const channel = await channels.address(delivery.channelId ?? 0);
      if (channel === null) throw new DeliveryFailed('the channel was removed');
      const address = opened(channel.address);
      const data = delivery.data as NotificationData;
      if (channel.kind === 'email') {
        const { title, text } = composeNotification(data);
        await mailer.send({ to: address.split(','), id: delivery.messageId, subject: title, text });
        return { way: 'email' };
      }
      return await post(delivery, channel, { url: address, body: bodyFor(channel.kind, data, delivery.at) }, signal);
    },

    // A test is not repeated: an operator waits for its result.
    afterFailure: ({ type }) => Promise.resolve(type === 'test'),

    async upkeep() {
      if (!isSettingFollowed) await followSetting();
      if (performance.now() - comparedAtMs < COMPARE_MS) return;
      comparedAtMs = performance.now();
      await notices.enqueueDue(snapshotTtlSeconds, troublesOfInstallation);
    },
  });

  async function troublesOfInstallation(): Promise<Trouble[]> {
    const [queue, backups] = [await announcements.facts(QUEUE_PATIENCE_SECONDS), await audit.backups()];
    return installationTroubles({ queue, backups, now: new Date() });
  }

  /** Without SECRETS_KEY nothing can be sealed, so the setting has no effect. */
  async function followSetting(): Promise<void> {
    const addresses = notifyEmail.join(',');
    if (addresses === '') await channels.followSetting(null, USUAL_RULES);
    else if (box !== null)
      await channels.followSetting({ address: box.seal(addresses), shown: addresses }, USUAL_RULES);
    isSettingFollowed = true;
  }

  async function post(
    { messageId }: ClaimedDelivery,
    { kind, secret }: ChannelAddress,
    { url, body }: { url: string; body: string },
    signal: AbortSignal,
  ): Promise<Sent> {
    const signed =
      kind === 'webhook' && secret !== null
        ? signWebhook([opened(secret)], { id: messageId, atMs: Date.now(), body })
        : {};
    const headers = {
      ...{ 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) },
      ...{ 'user-agent': 'Passerelle', ...signed },
    };
    const { status, text, retryAfterMs } = await posts.post(url, headers, body, signal);
    if (status >= 200 && status < 300) return { status };
    throw new DeliveryFailed(`answered ${status}`, { status, answer: text, askedMs: retryAfterMs });
  }

  function opened(sealed: Buffer): string {
    if (box === null) throw new DeliveryFailed('not sent: this ingestor has no SECRETS_KEY to read its address with');
    try {
      return box.open(sealed);
    } catch (cause) {
      throw new DeliveryFailed('not sent: its address was sealed with another SECRETS_KEY', {}, { cause });
    }
  }
}
