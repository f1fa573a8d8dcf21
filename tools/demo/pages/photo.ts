import type { Listing, Photo } from '@passerelle/domain';
import { type Html, html } from '@passerelle/html';
import { titleOf } from '../labels';

/** Where photos are shown from: their addresses begin with one of these. */
export interface PhotoPlaces {
  /** The API's own: `?w=` asks for a smaller one. */
  media: string;
  elsewhere: readonly string[];
}

/** A photo with its measures; a listing without one shows an empty frame. @param width at most, a size that the API makes */
export function photoFigure(listing: Listing, index: number, places: PhotoPlaces, width: 640 | 1024): Html {
  const photo = listing.photos[index];
  if (photo === undefined) return html`<span class="photo none">Sans photo</span>`;
  const { legende = `Photo ${index + 1}`, largeur = 800, hauteur = 600 } = photo;
  return html`<img
    class="photo"
    src="${addressOf(photo, places, width)}"
    alt="${legende} : ${titleOf(listing)}"
    width="${largeur}"
    height="${hauteur}"
    loading="lazy"
    decoding="async"
  />`;
}

/** The photo at a size that suits; the original where only that is served. */
export function addressOf({ url }: Photo, { media }: PhotoPlaces, width: number): string {
  return url.startsWith(media) ? `${url}?w=${String(width)}` : url;
}
