import { type Offer, OFFER_TEXT } from './offer';

/** Writes a feed of Immobiliare.it, version 2.8. */
export const writeImmobiliareXml = (offers: readonly Offer[]): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://feed.immobiliare.it"><properties>\n${offers
      .map(
        ({ id, price, city, photos }) =>
          `<property operation="write"><unique-id>${id}</unique-id><location><city>${city}</city></location>` +
          `<transactions><transaction type="S"><price>${price}</price></transaction></transactions>` +
          `<building map="Residenziale/Casa indipendente/Villa"/>` +
          `<features><descriptions><description language="it"><content>${OFFER_TEXT}</content></description></descriptions></features>` +
          `<pictures>${photos.map((url, n) => `<picture position="${n + 1}" url="${url}"/>`).join('')}</pictures></property>\n`,
      )
      .join('')}</properties></feed>\n`,
  );
