import { type Offer, OFFER_TEXT } from './offer';

/** Writes an inventory of SwissRETS JSON. */
export const writeSwissretsJson = (offers: readonly Offer[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      ...{ created: '2026-03-01T08:00:00Z', generator: { version: '3.6.0' } },
      properties: offers.map(({ id, price, city, photos }) => ({
        ...{ id, visualReferenceId: `R${id}`, referenceId: id, type: 'buy', availability: { state: 'active' } },
        ...{ address: { countryCode: 'CH', locality: city, postalCode: '1009' }, categories: ['detached-house'] },
        prices: { currency: 'CHF', ...(price !== 0 && { buy: { price } }) },
        localizations: [
          {
            ...{ languageCode: 'fr', title: 'Maison', description: OFFER_TEXT },
            attachments: { images: photos.map((url) => ({ url })) },
          },
        ],
      })),
    }),
  );
