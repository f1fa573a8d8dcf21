import { GATEWAY_STATES } from '@passerelle/domain';
import { type Filter, ROW_ORDERS, type RowOrder } from '@passerelle/operations';
import { numberFilter, wordFilter } from '../access/filters';
import { type Fields, textOf } from '../access/form';
import type { Visit } from '../layout/page';

/** The parameters of the list: filter, order, and first row. */
export interface ListQuery extends Filter {
  sort: RowOrder;
  isReversed: boolean;
  page: number;
}

export const PER_PAGE = 50;
const SORTS = [...ROW_ORDERS, ...ROW_ORDERS.map((order) => `-${order}` as const)];

/** @throws PageRefusal for an unknown state or order, or a page that is no number */
export function parseListQuery(visit: Visit, fields: Fields): ListQuery {
  const q = textOf(fields, 'q', 100);
  const crm = textOf(fields, 'crm', 64);
  const state = wordFilter(visit, fields, 'state', GATEWAY_STATES);
  const sort = wordFilter(visit, fields, 'sort', SORTS) ?? 'state';
  const order = ROW_ORDERS.find((known) => known === sort.replace(/^-/, '')) ?? 'state';
  return {
    ...(q !== '' && { q }),
    ...(crm !== '' && { crm }),
    ...(state !== undefined && { state }),
    ...{ sort: order, isReversed: sort.startsWith('-'), page: numberFilter(visit, fields, 'page') ?? 1 },
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
