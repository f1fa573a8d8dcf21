import type { Listing, Photo } from '@passerelle/domain';
import { type Html, html } from '@passerelle/html';
import { titleOf } from '../labels';

/** The assumed size of a photo whose size is unknown, in pixels. */
const USUAL = { width: 800, height: 600 };

/** Where photos are shown from: their addresses begin with one of these. */
export interface PhotoPlaces {
  /** The API's own: `?w=` asks for a smaller one. */
  media: string;
  /** Others, which serve one size. */
  elsewhere: readonly string[];
}

export interface PhotoOptions {
  places: PhotoPlaces;
  /** Wanted at most, in pixels: a size that the API makes. */
  width: 320 | 640 | 1024 | 1600;
  /** Whether it loads immediately, and not only when it scrolls into view. */
  eager?: boolean;
}

/** A photo in its measures; a listing without one shows an empty frame. */
export function photoFigure(listing: Listing, index: number, { places, width, eager }: PhotoOptions): Html {
  const photo = listing.photos[index];
  if (photo === undefined) return html`<span class="photo none">Sans photo</span>`;
  const { largeur = USUAL.width, hauteur = USUAL.height } = photo;
  return html`<img
    class="photo"
    src="${addressOf(photo, places, width)}"
    alt="${textOf(listing, index)}"
    width="${largeur}"
    height="${hauteur}"
    ${eager === true ? null : html` loading="lazy"`}
    decoding="async"
  />`;
}

/** The photo at a size that suits; the original where only that is served. */
export function addressOf({ url }: Photo, { media }: PhotoPlaces, width: number): string {
  return url.startsWith(media) ? `${url}?w=${String(width)}` : url;
}

function textOf(listing: Listing, index: number): string {
  const { legende } = listing.photos[index] ?? {};
  const shown = legende ?? (index === 0 ? 'Photo principale' : `Photo ${String(index + 1)}`);
  return `${shown} : ${titleOf(listing)}`;
}
