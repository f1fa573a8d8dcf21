import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeRun } from '@passerelle/domain';
import { FR_FAULTS } from './fr-faults';
import { FR_PORTALS } from './fr-portals';
import { FR_SENTENCES } from './fr-sentences';
import { inFrench } from './library-sentences';

const ROOT = join(__dirname, '../../../..');
/** Finds the messages of errors that operators read, about actions, runs and typed values. */
const TOLD =
  /new (Refused|PublishRefused|RevertRefused|GatewayInactive|RetryLater|BadValue)\(\s*(?:'--[\w-]+',\s*|option,\s*)?(`(?:[^`\\]|\\.)*`|'(?:[^'\\]|\\.)*')/gs;
const FOLDERS = [
  'libs/operations/src',
  'libs/database/src',
  'apps/ingestor/src/ingest',
  'apps/console/src',
  'libs/connectors/src/engine',
];

function sourcesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.includes('testing'))
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'));
}

/** A text of the source with a value in each placeholder. */
function filled(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(/\\(.)/g, '$1')
    .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '12');
}

describe('inFrench', () => {
  const told = FOLDERS.flatMap(sourcesIn).flatMap((source) =>
    [...source.matchAll(TOLD)].map(([, , text]) => filled(text!)),
  );

  it('translates each sentence that operators read', () => {
    expect(told.length).toBeGreaterThan(50);
    // Skips texts that begin with another sentence: both are translated together.
    const whole = told.filter((text) => !/^12 12|^--[\w-]+$|^12$|\$\{/.test(text));
    expect(whole.filter((text) => inFrench(text) === null)).toEqual([]);
  });

  it('translates the verdicts of the publish gate', () => {
    const facts = {
      current: { total: 100, fill: { prix: 100 } as never },
      candidate: { total: 40, fill: { prix: 10 } as never },
      ...{ records: 40, rejected: 0, added: 30, removed: 90, incomplete: null, isForeign: false },
      unknownElements: { counts: { new_build: 12 }, before: [] },
    };
    const verdict = judgeRun(facts);
    const messages = verdict.publish ? [] : verdict.reasons.map(({ message }) => message);
    expect(messages.length).toBeGreaterThan(0);
    expect(messages.filter((message) => inFrench(message) === null)).toEqual([]);
    expect(inFrench('250 of 500 listings (50 %) would vanish; at most 20 % may')).toBe(
      '250 annonces sur 500 (50 %) disparaîtraient ; 20 % au plus sont admis',
    );
  });

  it('writes a share with a decimal comma', () => {
    expect(inFrench('2 of 3 listings (66.7 %) would vanish; at most 20 % may')).toBe(
      '2 annonces sur 3 (66,7 %) disparaîtraient ; 20 % au plus sont admis',
    );
  });

  it('translates nested sentences, and several sentences in a row', () => {
    expect(inFrench('It is number 1 of the 2 that are served, in snapshot 7; added by run 3.')).toBe(
      'C’est le numéro 1 des 2 qui sont servies, dans la liste 7 ; ajoutée par l’exécution 3',
    );
    expect(inFrench('Run 5 rejected its record 2 (field id): the record has no identifier.')).toBe(
      'L’exécution 5 a refusé sa fiche 2 (champ id) : la fiche n’a pas d’identifiant',
    );
    expect(inFrench('nobody has said this')).toBeNull();
    expect(inFrench('it is disabled; nobody has said this')).toBeNull();
  });

  it('uses as many placeholders in French as in English', () => {
    for (const [english, french] of [...FR_SENTENCES, ...FR_FAULTS, ...FR_PORTALS]) {
      const slots = english.split('{}').length - 1;
      const used = new Set([...french.matchAll(/\{(\d)\}/g)].map(([, slot]) => Number(slot)));
      expect({ english, used: [...used].sort() }).toEqual({
        english,
        used: Array.from({ length: slots }, (_slot, index) => index + 1),
      });
    }
  });
});
