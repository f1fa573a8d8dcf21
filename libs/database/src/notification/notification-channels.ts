import type { ChannelKind, NotificationData, NotificationEvent, SecretBox } from '@passerelle/domain';
import { Pool } from 'pg';
import { type Resealed, resealRows } from '../reseal';
import { inTransaction } from '../transaction';

/** A channel without its address and secret. Times are ISO 8601 in UTC. */
export interface NotificationChannel {
  id: number;
  kind: ChannelKind;
  /** The masked address. */
  shown: string;
  quiet: string | null;
  /** Whether it belongs to the setting NOTIFY_EMAIL. */
  isOfSetting: boolean;
  createdAt: string;
}

export interface NewChannel {
  kind: ChannelKind;
  /** Sealed. */
  address: Buffer;
  shown: string;
  /** Sealed; only for the kind `webhook`. */
  secret: Buffer | null;
  quiet: string | null;
}

export interface NewRule {
  channelId: number;
  event: NotificationEvent;
  crm: string | null;
  client: string | null;
  afterFailures: number;
  repeatSeconds: number | null;
}

export interface StoredRule extends NewRule {
  id: number;
}

/** The sealed values that a sender needs. */
export interface ChannelAddress {
  kind: ChannelKind;
  address: Buffer;
  secret: Buffer | null;
}

const CHANNEL = `id, kind, shown, quiet, is_of_setting AS "isOfSetting", to_json(created_at) #>> '{}' AS "createdAt"`;
export const RULE = `id, channel_id AS "channelId", event, crm, client, after_failures AS "afterFailures", repeat_seconds AS "repeatSeconds"`;

/** Channels and rules of notifications to operators. */
export class NotificationChannels {
  constructor(private readonly pool: Pool) {}

  async list(): Promise<NotificationChannel[]> {
    return (await this.pool.query<NotificationChannel>(`SELECT ${CHANNEL} FROM notification_channel ORDER BY id`)).rows;
  }

  async rules(): Promise<StoredRule[]> {
    return (await this.pool.query<StoredRule>(`SELECT ${RULE} FROM notification_rule ORDER BY id`)).rows;
  }

  async add({ kind, address, shown, secret, quiet }: NewChannel): Promise<number> {
    const { rows } = await this.pool.query<{ id: number }>(
      `INSERT INTO notification_channel (kind, address, shown, secret, quiet) VALUES ($1, $2, $3, $4, $5) RETURNING id`,
      [kind, address, shown, secret, quiet],
    );
    return rows[0]!.id;
  }

  /** With its rules. @returns false when there is no such channel, or the setting NOTIFY_EMAIL made it */
  async remove(id: number): Promise<boolean> {
    const { rowCount } = await this.pool.query('DELETE FROM notification_channel WHERE id = $1 AND NOT is_of_setting', [
      id,
    ]);
    return rowCount === 1;
  }

  /** @returns null when there is no such channel */
  async addRule(rule: NewRule): Promise<number | null> {
    const { channelId, event, crm, client, afterFailures, repeatSeconds } = rule;
    const { rows } = await this.pool.query<{ id: number }>(
      `INSERT INTO notification_rule (channel_id, event, crm, client, after_failures, repeat_seconds)
       SELECT id, $2, $3, $4, $5::integer, $6::integer FROM notification_channel WHERE id = $1 RETURNING id`,
      [channelId, event, crm, client, afterFailures, repeatSeconds],
    );
    return rows[0]?.id ?? null;
  }

  async removeRule(id: number): Promise<boolean> {
    return (await this.pool.query('DELETE FROM notification_rule WHERE id = $1', [id])).rowCount === 1;
  }

  /** Queues a test message. @returns the id of its delivery, or null when there is no such channel */
  async test(channelId: number): Promise<number | null> {
    const data: NotificationData = { kind: 'test' };
    const { rows } = await this.pool.query<{ id: number }>(
      `INSERT INTO outbox (channel_id, kind, type, data) SELECT id, 'notification', 'test', $2::json FROM notification_channel
       WHERE id = $1 RETURNING id`,
      [channelId, JSON.stringify(data)],
    );
    return rows[0]?.id ?? null;
  }

  async address(channelId: number): Promise<ChannelAddress | null> {
    const { rows } = await this.pool.query<ChannelAddress>(
      'SELECT kind, address, secret FROM notification_channel WHERE id = $1',
      [channelId],
    );
    return rows[0] ?? null;
  }

  reseal(box: SecretBox): Promise<Resealed> {
    return resealRows(this.pool, box, 'notification_channel', ['address', 'secret']);
  }

  /**
   * Makes, changes or removes the channel of the setting NOTIFY_EMAIL. A new channel gets the given rules.
   * @param wanted null without the setting
   */
  async followSetting(
    wanted: Pick<NewChannel, 'address' | 'shown'> | null,
    rules: readonly Omit<NewRule, 'channelId' | 'crm' | 'client'>[],
  ): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ id: number; shown: string }>(
        'SELECT id, shown FROM notification_channel WHERE is_of_setting FOR UPDATE',
      );
      const [present] = rows;
      if (wanted === null) {
        if (present !== undefined) await client.query('DELETE FROM notification_channel WHERE id = $1', [present.id]);
        return;
      }
      if (present !== undefined) {
        if (present.shown === wanted.shown) return;
        await client.query('UPDATE notification_channel SET address = $2, shown = $3 WHERE id = $1', [
          ...[present.id, wanted.address, wanted.shown],
        ]);
        return;
      }
      await client.query(
        `WITH channel AS (
           INSERT INTO notification_channel (kind, address, shown, is_of_setting) VALUES ('email', $1, $2, true)
           ON CONFLICT DO NOTHING RETURNING id
         )
         INSERT INTO notification_rule (channel_id, event, after_failures, repeat_seconds)
         SELECT channel.id, r.event, r."afterFailures", r."repeatSeconds"
         FROM channel, jsonb_to_recordset($3::jsonb) AS r (event text, "afterFailures" integer, "repeatSeconds" integer)`,
        [wanted.address, wanted.shown, JSON.stringify(rules)],
      );
    });
  }
}
