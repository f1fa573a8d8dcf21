import type { Visit } from '../layout/page';
import { type Fields, isDay, numberOf } from './form';
import { PageRefusal } from './page-refusal';

/**
 * A filter in an address; undefined when absent or empty.
 * @throws PageRefusal for an unknown value, because the page would show another list than the one that was meant
 */
function filterOf<Value>(
  { language: { texts } }: Visit,
  fields: Fields | undefined,
  name: string,
  { parse, takes }: { parse: (text: string) => Value | undefined; takes: string },
): Value | undefined {
  const given = fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : '';
  const text = typeof given === 'string' ? given.trim() : String(given);
  if (text === '') return undefined;
  const value = typeof given === 'string' ? parse(text) : undefined;
  if (value === undefined) throw new PageRefusal(texts.unknownFilter(name, text.slice(0, 100), takes), 400);
  return value;
}

export function wordFilter<Word extends string>(
  visit: Visit,
  fields: Fields | undefined,
  name: string,
  words: readonly Word[],
): Word | undefined {
  return filterOf(visit, fields, name, {
    parse: (text) => words.find((word) => word === text),
    takes: words.join(', '),
  });
}

export function numberFilter(visit: Visit, fields: Fields | undefined, name: string): number | undefined {
  return filterOf(visit, fields, name, { parse: numberOf, takes: visit.language.texts.aNumber });
}

/** `crm/client` */
export function gatewayFilter(visit: Visit, fields: Fields): { crm?: string; client?: string } {
  const parse = (text: string) => {
    const [, crm, client] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
    return crm === undefined || client === undefined ? undefined : { crm, client };
  };
  return filterOf(visit, fields, 'gateway', { parse, takes: 'crm/client' }) ?? {};
}

/** The start of a list that is read backwards: the end of a day, or an entry. */
export function untilFilter(visit: Visit, fields: Fields): { until?: string; beforeId?: number } {
  const parse = (text: string): string | undefined => (isDay(text) ? text : undefined);
  const until = filterOf(visit, fields, 'until', { parse, takes: '2026-01-31' });
  const beforeId = numberFilter(visit, fields, 'before');
  return { ...(until !== undefined && { until }), ...(beforeId !== undefined && { beforeId }) };
}
