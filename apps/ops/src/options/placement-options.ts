import type { PlacementTerms } from '@passerelle/database';
import { ID_SCHEMES, MAX_EMBARGO_HOURS, parsePlacementRule, RULE_NAMES } from '@passerelle/domain';
import type { Target } from '@passerelle/exporters';
import { parseDuration } from '@passerelle/operations';
import type { Command } from 'commander';
import { UsageError } from '../errors';
import type { SecretInput } from './secret-input';
import { parseNamedValues, parseWord } from './values';

export interface PlacementOptions {
  credential?: string[];
  credentialFile?: string[];
  set?: string[];
  rule?: string[];
  contact?: string[];
  embargo?: string;
  ids?: string;
  idTable?: string;
  lang?: string;
  dryRun?: boolean;
  keepAfterContract?: boolean;
}

const CONTACT = { name: 'the person or office', email: 'e-mail address', phone: 'telephone' };
const RULES = Object.fromEntries(RULE_NAMES.map((name) => [name, name]));
const HOUR_SECONDS = 3_600;

/** The options that `placement add` and `placement set` share. */
export function withPlacementOptions(command: Command): Command {
  return command
    .option('--credential <name=value...>', 'a login at the portal; see docs/exports.md')
    .option('--credential-file <name=file...>', 'the same from a file, or from standard input with -')
    .option('--set <name=value...>', 'settings of the target')
    .option('--rule <name=value...>', `which listings are exported: ${RULE_NAMES.join(', ')}`)
    .option('--contact <name=value...>', 'the person or office that answers enquiries: name, email, phone')
    .option('--embargo <duration>', 'how long after the site an advert is sent: 24h (default: 0s)')
    .option('--ids <scheme>', `what the id of an advert is: ${ID_SCHEMES.join(', ')} (default: own)`)
    .option('--id-table <file>', 'JSON object of ids of adverts by affId, from former software; implies --ids table')
    .option('--lang <code>', 'the language of the adverts, two letters (default: fr)')
    .option('--dry-run', 'compares and counts, and sends nothing')
    .option('--no-dry-run', 'sends')
    .option('--keep-after-contract', 'leaves the adverts online when the contract has ended');
}

/** @param present the terms that stay where no option changes them. @throws UsageError */
export async function placementTerms(
  options: PlacementOptions,
  target: Target,
  input: SecretInput,
  present: PlacementTerms,
): Promise<PlacementTerms> {
  const { set, rule, contact, embargo, ids, idTable, lang, dryRun, keepAfterContract } = options;
  const table = idTable === undefined ? null : parseTable(await input.read('--id-table', idTable));
  const scheme =
    ids === undefined ? (table === null ? present.idScheme : 'table') : parseWord('--ids', ids, ID_SCHEMES);
  return {
    contact: contact === undefined ? present.contact : parseNamedValues('--contact', contact, CONTACT),
    rule: rule === undefined ? present.rule : ruleOf(parseNamedValues('--rule', rule, RULES)),
    embargoHours: embargo === undefined ? present.embargoHours : hoursOf(embargo),
    idScheme: scheme,
    advertIds: table ?? present.advertIds,
    language: lang === undefined ? present.language : languageOf(lang),
    settings: set === undefined ? present.settings : settingsOf(set, target, present.settings),
    isDryRun: dryRun ?? present.isDryRun,
    keepsAfterContract: keepAfterContract ?? present.keepsAfterContract,
  };
}

/** @returns null when no credential is given. @throws UsageError */
export async function placementCredentials(
  { credential, credentialFile }: PlacementOptions,
  target: Target,
  input: SecretInput,
): Promise<Record<string, string> | null> {
  const { credential: texts } = await input.resolve({
    ...(credential !== undefined && { credential }),
    ...(credentialFile !== undefined && { credentialFile }),
  });
  return texts === undefined ? null : parseNamedValues('--credential', texts, target.credentials);
}

function settingsOf(
  texts: readonly string[],
  target: Target,
  present: PlacementTerms['settings'],
): Record<string, string> {
  const given = parseNamedValues('--set', texts, target.settings);
  for (const [name, value] of Object.entries(given)) {
    const words = target.choices?.[name];
    if (words !== undefined) parseWord(`--set ${name}`, value, words);
  }
  return { ...present, ...given };
}

function ruleOf(texts: Record<string, string>): PlacementTerms['rule'] {
  try {
    return parsePlacementRule(texts);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`--rule ${error.message}`);
    throw error;
  }
}

function hoursOf(text: string): number {
  const hours = Math.ceil(parseDuration('--embargo', text, 0) / HOUR_SECONDS);
  if (hours > MAX_EMBARGO_HOURS) throw new UsageError(`--embargo takes at most ${MAX_EMBARGO_HOURS / 24} days`);
  return hours;
}

function languageOf(text: string): string {
  if (!/^[a-z]{2}$/.test(text)) throw new UsageError(`--lang takes a code of two letters, such as fr, not "${text}"`);
  return text;
}

function parseTable(text: string): Record<string, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const entries = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : null;
  if (
    entries === null ||
    !entries.every((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '')
  )
    throw new UsageError('--id-table takes a JSON object of texts: {"affId": "id of the advert"}');
  if (new Set(entries.map(([, id]) => id)).size !== entries.length)
    throw new UsageError('--id-table has an id of an advert twice');
  return Object.fromEntries(entries);
}
