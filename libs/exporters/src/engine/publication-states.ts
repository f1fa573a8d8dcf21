import type { PublicationReason, PublicationState } from '@passerelle/domain';

/** The known facts about one listing at one placement. */
export interface KnownAdvert {
  state: PublicationState;
  hash: string | null;
  portalId: string | null;
  tries: number;
  reasonCode: PublicationReason | null;
  isWithdrawn: boolean;
  removal: 'held' | 'approved' | null;
}

const SHOWN: readonly PublicationState[] = ['sent', 'accepted', 'online', 'delivered'];
/** The most times that the same advert is created again after a portal removed it by itself. */
const MOST_CREATED = 3;

/** Whether the portal may show an advert. One whose removal was sent counts as gone. */
export function isLive({ state, portalId }: Pick<KnownAdvert, 'state' | 'portalId'>): boolean {
  return SHOWN.includes(state) || (portalId !== null && state !== 'removing');
}

export type AdvertAction = 'create' | 'replace' | 'remove';

/**
 * Decides about the request to a portal with an API.
 * @param ready the hash of the advert; null when the listing is not to be sent
 * @returns null when nothing must be sent
 */
export function actionFor(known: KnownAdvert | undefined, ready: string | null): AdvertAction | null {
  if (known === undefined) return ready === null ? null : 'create';
  if (isLive(known)) {
    if (ready === null) return 'remove';
    return known.hash === ready ? null : 'replace';
  }
  // While a removal is not confirmed, a new advert would be a double.
  if (ready === null || known.state === 'removing') return null;
  const isSame = known.hash === ready;
  if (known.state === 'refused' && isSame) return null;
  if (known.reasonCode === 'gone' && isSame && known.tries >= MOST_CREATED) return null;
  return 'create';
}
