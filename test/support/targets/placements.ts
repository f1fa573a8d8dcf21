import type { Listing } from '@passerelle/domain';
import type { ExportContext, ExportItem, PlacementConfig, Target } from '../../../libs/exporters/src/kit/contracts';

export const PUBLISHED_AT_MS = Date.UTC(2026, 2, 1, 10);

/** A placement of a test; without settings it has the required ones. */
export function contextFor(target: Target, placement: Partial<PlacementConfig> = {}): ExportContext {
  const needed = Object.fromEntries(target.requiredSettings.map((name) => [name, `the-${name}`]));
  return {
    placement: {
      ...{ id: 1, crm: 'demo', client: 'demo', language: 'fr', contact: {}, credentials: {} },
      ...placement,
      settings: { ...needed, ...placement.settings },
    },
    publishedAtMs: PUBLISHED_AT_MS,
  };
}

export function itemOf(listing: Listing): ExportItem {
  return { listing, advertId: listing.affId, changedAtMs: PUBLISHED_AT_MS };
}

/** The whole document, as the engine writes it. */
export function documentOf(target: Target, items: readonly ExportItem[], context: ExportContext): Buffer {
  if (target.transport === 'api') throw new Error('an API has no document');
  const { document } = target;
  const adverts = items.map((item) => target.advert(item, context)).join(document.separator);
  const encoding = document.encodingIn?.(context) ?? document.encoding;
  return Buffer.from(`${document.start(context)}${adverts}${document.end(context)}`, encoding);
}
