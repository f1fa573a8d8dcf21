import { callsOf, type Description, nameOf, resolved } from './description';
import { type Html, line, table, markup } from './markup';
import { meaningOf } from './schemas';

interface NamedHeader {
  name: string;
  /** Its name among the components. */
  component: string;
  calls: Set<string>;
}

/** The headers of answers, and what `X-Cache` means. */
export function headersSection(description: Description): Html {
  const { headers } = description.components;
  const all = callsOf(description).length;
  return markup`${table(
    ['header', 'sent with', 'meaning'],
    namedHeaders(description).map(({ name, component, calls }) => [
      markup`<code id="${headerId(name)}">${name}</code>`,
      calls.size === all ? 'every answer' : sentWith(calls),
      meaningOf({ ...headers[component]?.schema, description: headers[component]?.description ?? '' }, name),
    ]),
  )}
    <h3 id="x-cache">What X-Cache means</h3>
    <p>${line(headers['XCache']?.description ?? '')}</p> `;
}

/** Ids of headings do not collide with those of calls. */
export function headerId(name: string): string {
  return `header-${name}`;
}

function sentWith(calls: ReadonlySet<string>): string {
  return calls.size === 0 ? 'some errors' : [...calls].join(', ');
}

/** Headers by their names on the wire, with the calls whose successes have them. */
function namedHeaders(description: Description): NamedHeader[] {
  const named = new Map<string, NamedHeader>();
  const meet = (name: string, reference: string, summary?: string): void => {
    const header = named.get(name) ?? { name, component: nameOf(reference), calls: new Set<string>() };
    if (summary !== undefined) header.calls.add(summary);
    named.set(name, header);
  };
  for (const { call } of callsOf(description)) {
    for (const response of Object.values(call.responses)) {
      const isError = response.$ref !== undefined;
      for (const [name, { $ref }] of Object.entries(resolved(description, response).headers ?? {})) {
        meet(name, $ref, isError ? undefined : call.summary);
      }
    }
  }
  for (const { headers = {} } of Object.values(description.components.responses)) {
    for (const [name, { $ref }] of Object.entries(headers)) meet(name, $ref);
  }
  return [...named.values()];
}
