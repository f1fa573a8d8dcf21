import type { Listing, Photo } from '@passerelle/domain';
import { type Html, html } from '@passerelle/html';
import { titleOf } from '../labels';

/** The allowed sources of photos: every photo's address begins with one of these. */
export interface PhotoPlaces {
  /** The photos that the API serves; `?w=` requests a smaller size. */
  media: string;
  elsewhere: readonly string[];
}

/** @param width the maximum, a size that the API offers */
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

/** The address of the photo at a suitable size; the original if its server has no sizes. */
export function addressOf({ url }: Photo, { media }: PhotoPlaces, width: number): string {
  return url.startsWith(media) ? `${url}?w=${String(width)}` : url;
}
