import type { Database, SavedViews } from '@passerelle/database';
import { Refused } from '../refused';
import type { Actor } from './gateways';

type Repositories = Pick<Database, 'audit'> & { savedViews: SavedViews };

/** The line of links on the page has no space for more links. */
const MOST_VIEWS = 50;

/** Replaces a search with the same name. @throws Refused without a name, or for more than `MOST_VIEWS` searches */
export async function saveView(
  { savedViews, audit }: Repositories,
  { name: who, through }: Actor,
  { name, query }: { name: string; query: string },
): Promise<void> {
  if (name === '') throw new Refused('a view needs a name');
  if (!(await savedViews.save({ name, query, savedBy: who }, MOST_VIEWS))) {
    throw new Refused(`there are ${MOST_VIEWS} views already: remove one`);
  }
  await audit.record([{ who, through, act: 'view save', after: { view: name, query } }]);
}

/** @throws Refused when another operator has already removed the view */
export async function removeView(
  { savedViews, audit }: Repositories,
  { name: who, through }: Actor,
  name: string,
): Promise<void> {
  if (!(await savedViews.remove(name))) throw new Refused(`there is no view ${name} any more`);
  await audit.record([{ who, through, act: 'view remove', before: { view: name } }]);
}
