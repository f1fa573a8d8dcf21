import type { Command } from 'commander';
import { generateApiKey, hashApiKey, visiblePrefix } from '@passerelle/domain';
import { parseApiKey } from '../options/api-key';
import { parseCalendarDate } from '../options/calendar-date';
import { findConnector } from '../options/connector';
import { parseCredentials } from '../options/credentials';
import { parseDuration } from '../options/duration';
import { parseSettings } from '../options/gateway-settings';
import { parseSourceUrl } from '../options/source-url';
import type { Outcome } from '../outcome';
import { assertSlug, type Session } from '../session';
import { addGatewayWord, type GatewayName } from './word';

interface AddOptions extends GatewayName {
  source: string;
  credential?: string[];
  set?: string[];
  key?: string;
  every?: string;
  contractEnd?: string;
}

export function addGatewayAdd(gateway: Command, session: Session): void {
  addGatewayWord(
    gateway,
    'add',
    'Adds a gateway and prints its API key, this once.',
    'gateway add --crm kyero --client agence-du-port --source https://crm.example/feed.xml --every 50m',
  )
    .requiredOption('--source <url>', 'where the feed is: http(s):, ftp(s):, sftp:, or file: for a file of the inbox')
    .option('--credential <name=value...>', 'a credential of the source; "connectors" lists the names')
    .option('--set <name=value...>', 'a setting of the connector or of the publish gate')
    .option('--key <key>', 'an API key of your own: 8 to 256 printable characters (default: a new one)')
    .option('--every <duration>', 'how often it is ingested: 90s, 50m, 12h, 7d (default: as the ingestor is set)')
    .option('--contract-end <date>', 'the last day that it serves, YYYY-MM-DD, in Europe/Paris')
    .action(async (options: AddOptions) => {
      session.answer(await addGateway(session, options));
    });
}

async function addGateway(session: Session, options: AddOptions): Promise<Outcome> {
  const { crm, client } = options;
  const connector = await findConnector(session, crm);
  assertSlug('--client', client);
  const sourceUrl = parseSourceUrl(options.source, connector);
  const credentials = parseCredentials(options.credential ?? [], connector);
  const settings = parseSettings(options.set ?? [], connector);
  const key = options.key === undefined ? generateApiKey() : parseApiKey('--key', options.key);
  const everySeconds = options.every === undefined ? null : parseDuration('--every', options.every);
  const contractEnd =
    options.contractEnd === undefined ? null : parseCalendarDate('--contract-end', options.contractEnd);

  const { gateways } = await session.openDatabase();
  await gateways.add(
    { crm, client, sourceUrl, settings, credentials: await session.seal(credentials), everySeconds, contractEnd },
    { hash: hashApiKey(key, await gateways.keyPepper()), prefix: visiblePrefix(key) },
  );
  return {
    json: { crm, client, key },
    text: () => `${crm}/${client} is added; its key, shown this once:\n${key}`,
  };
}
