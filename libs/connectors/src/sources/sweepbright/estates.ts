import { BadFeed } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { listOf, textOf } from '../../kit/values';

/** An estate, or a project with its units. A unit that its project no longer contains is removed. @throws BadFeed */
export function estatesOf(answer: Buffer): Buffer {
  const estate = objectOf(parsed(answer));
  if (textOf(estate['id']) === undefined) throw new BadFeed('SweepBright answered without an estate');
  const { properties, ...project } = estate;
  const units = listOf(properties).map(objectOf);
  const of = { project_id: estate['id'], project: { title: estate['description_title'], units: units.length } };
  const all: Record<string, unknown>[] = [{ ...project, ...(units.length > 0 && { unit_count: units.length }) }];
  for (const unit of units) {
    // A unit inherits missing members from its project.
    const said = Object.entries(unit).filter(([, value]) => value !== null && value !== undefined);
    const { location, office, negotiator, negotiation, publish_status, price } = estate;
    all.push({
      ...{ location, office, negotiator, negotiation, publish_status, price },
      ...Object.fromEntries(said),
      ...of,
    });
  }
  return Buffer.from(JSON.stringify({ estates: all }));
}

/** The scope of a record is its project: a unit disappears together with its project. */
export function scopeOf(record: JsonRecord): string | undefined {
  return textOf(record['project_id']) ?? textOf(record['id']);
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function parsed(answer: Buffer): unknown {
  try {
    return JSON.parse(answer.toString('utf8')) as unknown;
  } catch {
    throw new BadFeed('SweepBright did not answer with JSON');
  }
}
