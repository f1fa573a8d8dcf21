import type { AgencyDigests } from '@passerelle/database';
import { type AgencyDigest, composeAgencyLetter, ENDLESS_PAUSES_MS, isMailAddress } from '@passerelle/domain';
import { defineDelivery, type Delivery, DeliveryFailed } from '../define-delivery';
import type { Mailer } from '../lead/mailer';

const QUEUE_EVERY_MS = 60_000;
/** A weekly letter that could not be sent for two days is no news. */
const TRIES = 50;

/** Weekly letters to agencies, by e-mail. */
export function digestDelivery({ digests, mailer }: { digests: AgencyDigests; mailer: Mailer }): Delivery {
  let queuedAtMs = -QUEUE_EVERY_MS;
  return defineDelivery({
    kind: 'digest',
    orderKey: 'delivery',
    tries: TRIES,
    pausesMs: ENDLESS_PAUSES_MS,
    timeoutMs: 60_000,
    atOnce: 5,
    retriedAtOnce: 5,

    async send({ messageId, data }) {
      const digest = data as AgencyDigest;
      if (!isMailAddress(digest.to)) throw new DeliveryFailed('not sent: "digest-email" of the gateway is no address');
      await mailer.send({ ...composeAgencyLetter(digest), to: digest.to, id: messageId });
      return { way: 'email' };
    },

    async upkeep() {
      if (performance.now() - queuedAtMs < QUEUE_EVERY_MS) return;
      queuedAtMs = performance.now();
      await digests.enqueueDue();
    },
  });
}
