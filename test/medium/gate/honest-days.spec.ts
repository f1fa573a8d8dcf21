import { IS_FULL_SIZE } from '../../support/full-size';
import { anOffer, FORMATS } from './feeds';
import type { Offer } from '../../simulated/files/offer';
import { type GatewayRuns, startGatewayRuns } from './gateway-runs';

/** A reproducible sequence of numbers from 0 to 1. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/**
 * An agency's day: some listings are sold, some are added, prices are cut, photos arrive late, a few listings have no
 * price, the order changes.
 */
function nextDay(offers: readonly Offer[], roll: () => number, nextNumber: () => number): Offer[] {
  const kept = offers.filter(() => roll() > 0.02);
  const changed = kept.map((offer) => {
    const what = roll();
    if (what < 0.03) return { ...offer, price: Math.round(offer.price * 0.95) };
    if (what < 0.04) return { ...offer, price: offer.price === 0 ? 150_000 : 0 };
    if (what < 0.06) return { ...offer, photos: [...offer.photos, `https://photos.example.org/${offer.id}/new.jpg`] };
    return offer;
  });
  const incoming = Array.from({ length: Math.round(roll() * 2 * 0.02 * Math.max(offers.length, 20)) }, () =>
    anOffer(nextNumber(), roll() < 0.2 ? { photos: [] } : {}),
  );
  const all = [...incoming, ...changed];
  return roll() < 0.1 ? all.reverse() : all;
}

// Real: PostgreSQL, HTTP, the connector, the gate. Fake: the CRM.
describe.each(
  IS_FULL_SIZE
    ? [
        [6, 200],
        [60, 200],
        [600, 40],
      ]
    : [
        [6, 40],
        [60, 40],
      ],
)('agency of %i listings in %i ordinary days', (size, days) => {
  let gateway: GatewayRuns;
  const format = FORMATS[0]!;

  beforeAll(async () => {
    gateway = await startGatewayRuns(format);
  });
  afterAll(async () => {
    await gateway.close();
  });

  it('has at most one held run', async () => {
    const roll = dice(size);
    let last = size;
    let offers = Array.from({ length: size }, (_, n) => anOffer(n, roll() < 0.1 ? { price: 0 } : {}));
    const held: string[] = [];
    for (let day = 0; day < days; day += 1) {
      gateway.crm.answer = { body: format.write(offers) };
      const { state, reason } = await gateway.run();
      if (state !== 'published' && state !== 'unchanged') held.push(`day ${day}: ${state}: ${reason ?? ''}`);
      offers = nextDay(offers, roll, () => (last += 1));
    }
    expect(held.length > 1 ? held : []).toEqual([]);
  });
});
