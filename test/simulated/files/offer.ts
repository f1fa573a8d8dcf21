/** An agency's offer, independent of any CRM's format. */
export interface Offer {
  id: string;
  price: number;
  city: string;
  photos: readonly string[];
}

/** The description of every offer. */
export const OFFER_TEXT = 'Une maison avec un jardin, calme et claire.';
