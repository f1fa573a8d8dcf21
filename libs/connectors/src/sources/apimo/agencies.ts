import type { JsonRecord } from '../../formats/json-records';
import { plainLine } from '../../kit/clean/plain-text';
import type { RecordContext } from '../../kit/contracts';
import { listOf } from '../../kit/path';
import { textOf } from '../../kit/scalar';

/** What of an agency the listings carry. */
export interface Agency {
  id: string;
  name?: string;
  phone?: string;
}

/** By id. Plain data: records are mapped anew when it changes. */
export type Agencies = Readonly<Record<string, Agency>>;

/** The agencies of an answer of `GET /agencies`; what is no agency is passed over. */
export function readAgencies(answer: unknown): Agencies {
  const list = Array.isArray(answer) ? answer : listOf((answer as { agencies?: unknown } | null)?.agencies);
  const agencies: Record<string, Agency> = {};
  for (const one of list) {
    const { id: given, name: givenName, phone: givenPhone } = (one ?? {}) as Readonly<Record<string, unknown>>;
    const id = textOf(given);
    if (id === undefined) continue;
    const name = plainLine(textOf(givenName));
    const phone = plainLine(textOf(givenPhone));
    agencies[id] = { id, ...(name === undefined ? {} : { name }), ...(phone === undefined ? {} : { phone }) };
  }
  return agencies;
}

/** The agency of a property, from what was asked ahead of the walk. */
export function agencyOf(record: JsonRecord, context: RecordContext): Agency | undefined {
  const id = textOf(record['agency']);
  return id === undefined ? undefined : (context.feed['agencies'] as Agencies | undefined)?.[id];
}
