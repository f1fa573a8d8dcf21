import type { ListedPublication, Placement } from '@passerelle/database';
import type { PublicationState } from '@passerelle/domain';

/** Where the advert of one listing is at one placement, in words. */
export interface PublicationView {
  id: string;
  crm: string;
  client: string;
  placement: number;
  target: string;
  state: PublicationState | 'unknown';
  explanation: string;
  since: string | null;
  url: string | null;
}

const WORDS: Readonly<Record<PublicationState, string>> = {
  waiting: 'it is not sent yet',
  sent: 'it was sent, and the portal has not answered yet',
  accepted: 'the portal accepted it and has not published it yet',
  online: 'it is online',
  delivered: 'the portal has it; this portal does not say what becomes of an advert',
  refused: 'the portal refuses it',
  removing: 'its removal was sent, and the portal has not confirmed it yet',
  removed: 'the portal does not have it any more',
};

/** @param publication null when the placement does not know the listing */
export function explainPublication(
  placement: Placement,
  affId: string,
  publication: ListedPublication | null,
): PublicationView {
  const { id, crm, client, target } = placement;
  const { state = 'unknown', since = null, url = null } = publication ?? {};
  const facts = [
    publication === null ? unknownWordsOf(placement) : wordsOf(publication),
    publication?.removal === 'held' ? 'the list does not have it any more, and its removal is held' : null,
    placement.isEnding ? 'the placement is being removed' : placement.isOn ? null : 'the placement is off',
    placement.isPaused ? 'the gateway is paused, so nothing is exported' : null,
    placement.isDryRun ? 'the placement is a dry run, so nothing is sent' : null,
    placement.held === null ? null : `exports are held: ${placement.held.message}; "placement approve" decides`,
    placement.failure === null ? null : `the last export failed: ${placement.failure}`,
    placement.result === 'unconfirmed' ? 'exports wait until the source confirms the list' : null,
  ];
  const explanation = facts.filter((fact) => fact !== null).join('; ');
  return { id: affId, crm, client, placement: id, target, state, explanation, since, url };
}

function unknownWordsOf({ exportedAt }: Placement): string {
  if (exportedAt === null) return 'this placement has exported nothing yet';
  return `the list of the last export, at ${exportedAt}, did not have it`;
}

function wordsOf({ state, reason, isWithdrawn, url }: ListedPublication): string {
  const words = reason === null ? WORDS[state] : `${WORDS[state]}: ${reason}`;
  if (isWithdrawn && state !== 'removed') return `${words}; an operator took it offline`;
  return state === 'online' && url !== null ? `${words} at ${url}` : words;
}
