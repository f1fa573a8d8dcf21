import type { Statut, TypeTransaction } from '@passerelle/domain';
import { toFlag } from './clean/fold-word';
import type { RecordContext } from './contracts';
import { type Together, together } from './together';

/** The meaning of a source's word for the status of a record. An empty one is on the market. */
export interface Showing {
  /** Why the record leaves the list, in words. */
  withdrawn?: string;
  statut?: Statut;
}

export const SHOWN: Showing = {};
export const UNDER_OFFER: Showing = { statut: 'sous-offre' };
export const UNDER_CONTRACT: Showing = { statut: 'sous-compromis' };
export const SOLD: Showing = { withdrawn: 'sold', statut: 'vendu' };
export const LET: Showing = { withdrawn: 'let', statut: 'loue' };
/** Never shown, whatever the gateway's settings are. */
export const hidden = (withdrawn: string): Showing => ({ withdrawn });

/** The setting of every connector whose format says that a property is sold or let. */
export const KEEP_SOLD_SETTING = {
  'keep-sold': '"oui" keeps listings that the source marks as sold or let, with their statut. Default non.',
};

export function keepsSold({ settings }: RecordContext): boolean {
  const setting = settings['keep-sold'];
  return setting !== undefined && toFlag(setting) === true;
}

/** Why a record with this status leaves the list; undefined if it stays. Only `keep-sold` keeps what is sold or let. */
export function withdrawalFor(showing: Showing | undefined, context: RecordContext): string | undefined {
  if (showing?.withdrawn === undefined) return undefined;
  return showing.statut !== undefined && keepsSold(context) ? undefined : showing.withdrawn;
}

/** For sources that say "sold or let" in one word. */
export function soldOrLet(typeTransaction: TypeTransaction | undefined): Statut | undefined {
  if (typeTransaction === undefined || typeTransaction === 'autre') return undefined;
  return typeTransaction === 'location' || typeTransaction === 'location-saisonniere' ? 'loue' : 'vendu';
}

export interface Standing {
  statut?: Statut;
  sousOffre?: boolean;
}

/** `...standing(statutOf).fields('statut', 'sousOffre')`; `sousOffre` follows from `statut`. */
export function standing<R>(
  statutOf: (record: R, context: RecordContext) => Statut | undefined,
): Together<R, Standing> {
  return together((record, context) => {
    const statut = statutOf(record, context);
    if (statut === undefined) return NONE;
    return statut === 'sous-offre' || statut === 'sous-compromis' ? { statut, sousOffre: true } : { statut };
  });
}

const NONE: Standing = {};
