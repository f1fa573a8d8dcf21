import { type Offer, OFFER_TEXT } from './offer';

/** Writes the file of an idealista customer, JSON version 6. */
export const writeIdealistaJson = (offers: readonly Offer[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      customerCountry: 'Spain',
      customerProperties: offers.map(({ id, price, city, photos }) => ({
        ...{ propertyCode: id, propertyReference: `R${id}`, propertyAddress: { addressTown: city } },
        propertyOperation: { operationType: 'sale', operationPrice: price },
        propertyFeatures: { featuresType: 'house', featuresAreaConstructed: 120 },
        propertyDescriptions: [{ descriptionLanguage: 'spanish', descriptionText: OFFER_TEXT }],
        propertyImages: photos.map((imageUrl, n) => ({ imageOrder: n + 1, imageUrl })),
      })),
    }),
  );
