import { type Offer, OFFER_TEXT } from './offer';

/** Writes a transfer of ImmobilienScout24: all offers of one provider. */
export const writeIs24Xml = (offers: readonly Offer[]): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<IS24ImmobilienTransfer><Anbieter ScoutKundenID="1">\n${offers
      .map(
        ({ id, price, city, photos }) =>
          `<WohnungKauf AnbieterObjektID="${id}"><Adresse Ort="${city}"/><Objektbeschreibung>${OFFER_TEXT}</Objektbeschreibung>` +
          photos.map((url) => `<MultimediaAnhang AnhangArt="bild" Dateiname="${url}"/>`).join('') +
          `<Kaufpreise Kaufpreis="${price}"/></WohnungKauf>\n`,
      )
      .join('')}</Anbieter></IS24ImmobilienTransfer>\n`,
  );
