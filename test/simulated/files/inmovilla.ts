import { type Offer, OFFER_TEXT } from './offer';

/** Writes an Inmovilla export according to the connector's README. */
export const writeInmovillaXml = (offers: readonly Offer[]): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<propiedades>\n${offers
      .map(
        ({ id, price, city, photos }) =>
          `<propiedad><id>${id}</id><ref>R${id}</ref><accion>Vender</accion><tipo_ofer>Casa</tipo_ofer>` +
          `<precioinmo>${price}</precioinmo><ciudad>${city}</ciudad><descrip1>${OFFER_TEXT}</descrip1>` +
          `${photos.map((url, n) => `<foto${n + 1}>${url}</foto${n + 1}>`).join('')}</propiedad>\n`,
      )
      .join('')}</propiedades>\n`,
  );
