/** What an agency has to offer, in no CRM's words. */
export interface Offer {
  id: string;
  price: number;
  city: string;
  photos: readonly string[];
}

/** What is said of each. */
export const OFFER_TEXT = 'Une maison avec un jardin, calme et claire.';
