import { ApiError } from '@passerelle/domain';
import type { FastifyRequest } from 'fastify';
import { parameterReader, refusedParameter, sentParameter, type ValuesOf } from '../http/parameters';
import { LIMITS, SEARCH_PARAMETERS } from './parameters';

export type SearchParameters = ValuesOf<typeof SEARCH_PARAMETERS>;

export type SearchQuery = SearchParameters & {
  /** The filters, the order and the format, by parameter: for links to other pages. */
  linkParameters: Readonly<Record<string, string>>;
};

/** Parameters that are read undecoded, because values may contain commas. */
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
const LINK_PARAMETERS = Object.keys(SEARCH_PARAMETERS).filter((name) => !OF_PAGES.includes(name));

const readDeclared = parameterReader(SEARCH_PARAMETERS);

/** @throws ApiError BAD_REQUEST that names the parameter and its limit */
export function readSearchQuery({ query, url }: Pick<FastifyRequest, 'query' | 'url'>): SearchQuery {
  const parameters: Record<string, unknown> = { ...(query as object) };
  const count = Object.keys(parameters).length;
  if (count > LIMITS.parameters) {
    const allowed = `at most ${LIMITS.parameters} parameters`;
    throw new ApiError('BAD_REQUEST', `The query has ${count} parameters: there may be ${allowed}.`, {
      parameter: '*',
      allowed,
    });
  }
  for (const name of ENCODED_LISTS)
    if (typeof parameters[name] === 'string') parameters[name] = sentParameter(url, name);
  const read = readDeclared(parameters);
  if (read.fields !== undefined && read.format === 'raw') {
    throw refusedParameter('fields', 'absent', 'The query parameter "fields" does not go with "format=raw"');
  }
  const linkParameters = LINK_PARAMETERS.flatMap((name) =>
    typeof parameters[name] === 'string' ? [[name, parameters[name]]] : [],
  );
  // Links have one level of encoding, whatever the client sent, so that a followed link leads to the same link again.
  for (const name of ENCODED_LISTS) {
    if (typeof parameters[name] === 'string')
      linkParameters.push([name, (read[name] ?? []).map(encodeURIComponent).join(',')]);
  }
  return { ...read, linkParameters: Object.fromEntries(linkParameters) as Record<string, string> };
}
