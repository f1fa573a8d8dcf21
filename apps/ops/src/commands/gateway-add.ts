import type { NewGateway } from '@passerelle/database';
import { ALL_TERMS, generateApiKey, type KeyTerms } from '@passerelle/domain';
import type { Command } from 'commander';
import type { CommandContext, CommandResult } from '../command-context';
import {
  addGateway,
  assertSlug,
  BadValue,
  parseCalendarDate,
  parseDuration,
  Refused,
  sealGateway,
} from '@passerelle/operations';
import { UsageError } from '../errors';
import type { GatewayOptions } from '../options/gateway-rows';
import { parseKeyTerms } from '../options/key-terms';
import type { SecretOptions } from '../options/secret-input';
import { parseCredentials, parseSettings, parseSourceOption } from '../options/source-options';
import { parseApiKey } from '../options/values';
import { sourcePolicyOf } from '../running-instance';
import { addCommand } from './command';

type AddOptions = GatewayOptions & SecretOptions & { from?: string };

interface AddedGateway extends NewGateway {
  key: string;
  terms: KeyTerms;
}

export function addGatewayAdd(gateway: Command, context: CommandContext): void {
  addCommand(
    gateway,
    'add',
    'Adds a gateway, or those of a CSV file, and prints the API keys; they are shown only once.',
    'gateway add --crm kyero --client agence-du-port --source https://crm.example/feed.xml --every 50m',
  )
    .option('--crm <code>', 'the connector')
    .option('--client <slug>', 'the client')
    .option('--source <url>', 'the address of the feed: http(s):, ftp(s):, sftp:, or file: for a file of the inbox')
    .option('--source-file <file>', 'the same from a file, for an address that is a secret')
    .option('--credential <name=value...>', 'a credential of the source; "connectors" lists the names')
    .option('--credential-file <name=file...>', 'the same from a file; "-" is standard input')
    .option('--set <name=value...>', 'a setting of the connector or of the publish gate')
    .option('--key <key>', 'an API key of your own: 24 to 256 printable characters, or "-" (default: a new one)')
    .option('--key-file <file>', 'the same from a file')
    .option('--scope <scope>', 'scope of the key: read, report or both (default: both)')
    .option('--network <range...>', 'addresses or CIDR ranges that may use the key (default: any)')
    .option(
      '--every <duration>',
      'how often the gateway is read: 90s, 50m, 12h, 7d (default: REFRESH_SECONDS of the ingestor)',
    )
    .option('--contract-end <date>', 'the last day on which it is served, YYYY-MM-DD, in Europe/Paris')
    .option(
      '--from <file>',
      'adds every gateway of a CSV file whose columns have the names of these options; - for standard input',
    )
    .action(async ({ from, ...words }: AddOptions) => {
      context.answer(from === undefined ? await addOne(context, words) : await addAll(context, from, words));
    });
}

async function addOne(context: CommandContext, given: Omit<AddOptions, 'from'>): Promise<CommandResult> {
  const words = await context.input.resolve(given);
  for (const name of ['crm', 'client', 'source'] as const) {
    if (words[name] === undefined) throw new UsageError(`required option '--${name}' not specified`);
  }
  const { crm, client, key } = await store(context, await check(context, words));
  return {
    json: { crm, client, key },
    text: () => `${crm}/${client} is added; its key, shown only once:\n${key}`,
  };
}

/** Checks every row before the first gateway is added. */
async function addAll(context: CommandContext, file: string, words: Omit<AddOptions, 'from'>): Promise<CommandResult> {
  const [option] = Object.keys(words);
  if (option !== undefined) throw new UsageError(`--from excludes --${option}: it is a column of the file`);
  const { readGatewayRows } = await import('../options/gateway-rows.ts');
  const gateways: AddedGateway[] = [];
  const problems: string[] = [];
  for (const { line, words: row } of await readGatewayRows(file, context.input)) {
    try {
      const gateway = await check(context, row);
      if (gateways.some(({ crm, client }) => crm === gateway.crm && client === gateway.client)) {
        throw new UsageError(`${gateway.crm}/${gateway.client} appears twice in it`);
      }
      gateways.push(gateway);
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof BadValue)) throw error;
      problems.push(`${file}, line ${line}: ${error.message}`);
    }
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  await refuseThoseThatAreThere(context, gateways);
  const added: { crm: string; client: string; key: string }[] = [];
  for (const gateway of gateways) added.push(await store(context, gateway));
  return {
    json: added,
    text: () =>
      [
        `${added.length} gateways are added; their keys, shown only once:`,
        ...added.map(({ crm, client, key }) => `${crm}/${client}  ${key}`),
      ].join('\n'),
  };
}

async function refuseThoseThatAreThere(context: CommandContext, wanted: readonly AddedGateway[]): Promise<void> {
  const { gateways } = await context.openDatabase();
  const known = new Set((await gateways.list()).map(({ crm, client }) => `${crm}/${client}`));
  const there = wanted.map(({ crm, client }) => `${crm}/${client}`).filter((name) => known.has(name));
  if (there.length > 0) throw new Refused(`nothing is added: ${there.join(', ')} exists already`);
}

/** @throws UsageError */
async function check(context: CommandContext, words: GatewayOptions): Promise<AddedGateway> {
  const { crm = '', client = '', source = '', credential = [], set = [], key, every, contractEnd } = words;
  const connector = await context.connector(crm);
  assertSlug('--client', client);
  const feed = {
    source: parseSourceOption(source, connector, sourcePolicyOf(context.env)),
    settings: parseSettings(set, connector),
  };
  const credentials = parseCredentials(credential, connector);
  const terms = {
    everySeconds: every === undefined ? null : parseDuration('--every', every),
    contractEnd: contractEnd === undefined ? null : parseCalendarDate('--contract-end', contractEnd),
    key: key === undefined ? generateApiKey() : parseApiKey('--key', key),
    terms: { ...ALL_TERMS, ...parseKeyTerms(words) },
  };
  const box = await context.requireSecretBox('--source');
  const { everySeconds, contractEnd: lastDay, ...keyed } = terms;
  const wish = { crm, client, ...feed, credentials, everySeconds, contractEnd: lastDay };
  return { ...sealGateway(wish, box), ...keyed };
}

async function store(
  context: CommandContext,
  { key, terms, ...gateway }: AddedGateway,
): Promise<{ crm: string; client: string; key: string }> {
  const hashes = await context.keyHashes();
  await addGateway(await context.openDatabase(), await context.actor(), gateway, { key, terms, hashes });
  return { crm: gateway.crm, client: gateway.client, key };
}
