import { hash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RULES_VERSION } from '@passerelle/domain';
import type { RecordResult } from './read-records';

/** Fingerprints of the results of one connector version for its fixtures. */
export interface Fingerprints {
  version: number;
  /** The version of the legal rules that create the mentions. */
  rules: number;
  /** Per fixture: a hash of the input, including settings and context, and a hash of the result. */
  fixtures: Record<string, { from: string; to: string }>;
}

interface ReadFixture {
  name: string;
  records: readonly RecordResult[];
}

const FILE = 'fingerprints.json';

export function fingerprintsOf(version: number, fixturesDir: string, feeds: readonly ReadFixture[]): Fingerprints {
  const fixtures = feeds.map(({ name, records }): [string, { from: string; to: string }] => {
    const surroundings = join(fixturesDir, `${name}.context.json`);
    const given = [readFileSync(join(fixturesDir, name))];
    if (existsSync(surroundings)) given.push(readFileSync(surroundings));
    return [name, { from: shortHash(Buffer.concat(given)), to: shortHash(JSON.stringify(records)) }];
  });
  return { version, rules: RULES_VERSION, fixtures: Object.fromEntries(fixtures) };
}

/** The fixtures whose input is the same as recorded but whose result differs under the same versions. */
export function unraisedFixtures(recorded: Fingerprints | undefined, now: Fingerprints): string[] {
  if (recorded?.version !== now.version || recorded.rules !== now.rules) return [];
  return Object.entries(now.fixtures).flatMap(([name, { from, to }]) => {
    const earlier = recorded.fixtures[name];
    return earlier !== undefined && earlier.from === from && earlier.to !== to ? [name] : [];
  });
}

/** @param folder the connector's folder */
export function readFingerprints(folder: string): Fingerprints | undefined {
  const file = join(folder, FILE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Fingerprints) : undefined;
}

export function writeFingerprints(folder: string, fingerprints: Fingerprints): void {
  writeFileSync(join(folder, FILE), `${JSON.stringify(fingerprints, null, 2)}\n`);
}

function shortHash(content: string | Buffer): string {
  return hash('sha256', content, 'hex').slice(0, 16);
}
