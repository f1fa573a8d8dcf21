import { ApiError } from '@passerelle/domain';
import type { FastifyRequest } from 'fastify';
import { parameterReader, refusedParameter, sentParameter, type ValuesOf } from '../http/parameters';
import { LIMITS, SEARCH_PARAMETERS } from './parameters';

export type SearchParameters = ValuesOf<typeof SEARCH_PARAMETERS>;

/** The parsed query of a search. */
export type SearchQuery = SearchParameters & {
  /** The filters, the order and the format, by parameter: for links to other pages. */
  asked: Readonly<Record<string, string>>;
};

/** These are read undecoded, because their values may contain commas. */
const ENCODED_LISTS = [
  'typeTransaction',
  'typeCode',
  'ville',
  'codePostal',
  'pays',
  'dpeClasse',
  'loyerPeriode',
] as const;
/** Parameters that links set themselves. */
const OF_PAGES = ['crm', 'client', 'page', 'per_page', 'format', 'snapshot'];
const ASKED = Object.keys(SEARCH_PARAMETERS).filter((name) => !OF_PAGES.includes(name));

const readDeclared = parameterReader(SEARCH_PARAMETERS);

/** @throws ApiError BAD_REQUEST that names the parameter and its limit */
export function readSearchQuery({ query, url }: Pick<FastifyRequest, 'query' | 'url'>): SearchQuery {
  const given: Record<string, unknown> = { ...(query as object) };
  const count = Object.keys(given).length;
  if (count > LIMITS.parameters) {
    const allowed = `at most ${LIMITS.parameters} parameters`;
    throw new ApiError('BAD_REQUEST', `The query has ${count} parameters: there may be ${allowed}.`, {
      parameter: '*',
      allowed,
    });
  }
  for (const name of ENCODED_LISTS) if (typeof given[name] === 'string') given[name] = sentParameter(url, name);
  const read = readDeclared(given);
  if (read.fields !== undefined && read.format === 'raw') {
    throw refusedParameter('fields', 'absent', 'The query parameter "fields" does not go with "format=raw"');
  }
  const asked = ASKED.flatMap((name) => (typeof given[name] === 'string' ? [[name, given[name]]] : []));
  // One level of encoding, whatever was sent: following a link leads to the same link again.
  for (const name of ENCODED_LISTS) {
    if (typeof given[name] === 'string') asked.push([name, (read[name] ?? []).map(encodeURIComponent).join(',')]);
  }
  return { ...read, asked: Object.fromEntries(asked) as Record<string, string> };
}
