import { GATEWAY_STATES } from '@passerelle/domain';
import { type Filter, ROW_ORDERS, type RowOrder } from '@passerelle/operations';
import { type Fields, numberOf, textOf, wordOf } from '../access/form';

/** The parameters of the list: filter, order, and first row. */
export interface ListQuery extends Filter {
  sort: RowOrder;
  isReversed: boolean;
  page: number;
}

export const PER_PAGE = 50;

/** Invalid parameters are ignored, so that an old shared link still shows a list. */
export function parseListQuery(fields: Fields): ListQuery {
  const q = textOf(fields, 'q', 100);
  const crm = textOf(fields, 'crm', 64);
  const state = wordOf(fields, 'state', GATEWAY_STATES);
  const sort = textOf(fields, 'sort');
  const order = ROW_ORDERS.find((known) => known === sort.replace(/^-/, '')) ?? 'state';
  return {
    ...(q !== '' && { q }),
    ...(crm !== '' && { crm }),
    ...(state !== undefined && { state }),
    ...{ sort: order, isReversed: sort.startsWith('-'), page: numberOf(textOf(fields, 'page')) ?? 1 },
  };
}

/** The address of the list for a query, without defaults. */
export function listPath(query: Partial<ListQuery>): string {
  const { q, crm, state, sort = 'state', isReversed = false, page = 1 } = query;
  const parameters = new URLSearchParams({
    ...(q !== undefined && { q }),
    ...(state !== undefined && { state }),
    ...(crm !== undefined && { crm }),
    ...((sort !== 'state' || isReversed) && { sort: `${isReversed ? '-' : ''}${sort}` }),
    ...(page > 1 && { page: String(page) }),
  });
  return parameters.size === 0 ? '/gateways' : `/gateways?${parameters.toString()}`;
}
