import type { Command } from 'commander';
import type { GatewayChange } from '@passerelle/database';
import { WrongUse } from '../failures';
import { parseCalendarDate } from '../options/calendar-date';
import { findConnector } from '../options/connector';
import { parseCredentials } from '../options/credentials';
import { parseDuration } from '../options/duration';
import { parseSettings } from '../options/gateway-settings';
import { parseSourceUrl } from '../options/source-url';
import type { Session } from '../session';
import { showGateway } from './gateway-show';
import { addGatewayWord, type GatewayName } from './word';

interface SetOptions extends GatewayName {
  source?: string;
  /** False: `--no-credentials`. */
  credentials: boolean;
  credential?: string[];
  set?: string[];
  unset?: string[];
  every?: string;
  contractEnd?: string;
}

export function addGatewaySet(gateway: Command, session: Session): void {
  addGatewayWord(
    gateway,
    'set',
    'Changes a gateway; it runs again at once, and what is not named stays.',
    'gateway set --crm kyero --client agence-du-port --every 20m --set max-vanished-share=0.4',
  )
    .option('--source <url>', 'where the feed is from now on')
    .option('--credential <name=value...>', 'credentials, in the place of all that were there')
    .option('--no-credentials', 'takes all credentials away')
    .option('--set <name=value...>', 'settings, beside the others')
    .option('--unset <name...>', 'takes settings away')
    .option('--every <duration>', 'how often it is ingested, or "default"')
    .option('--contract-end <date>', 'the last day that it serves, or "none"')
    .action(async (options: SetOptions) => {
      const change = await parseChange(session, options);
      const database = await session.openDatabase();
      const { id } = await session.gateway(options.crm, options.client);
      await database.gateways.change(id, change);
      session.answer(await showGateway(session, options));
    });
}

async function parseChange(session: Session, options: SetOptions): Promise<GatewayChange> {
  const { source, credential, set, unset, every, contractEnd } = options;
  if (credential !== undefined && !options.credentials) {
    throw new WrongUse('--credential and --no-credentials exclude each other');
  }
  const change: GatewayChange = {
    ...(!options.credentials && { credentials: null }),
    ...(unset !== undefined && { unsetSettings: unset }),
    ...(every !== undefined && { everySeconds: every === 'default' ? null : parseDuration('--every', every) }),
    ...(contractEnd !== undefined && {
      contractEnd: contractEnd === 'none' ? null : parseCalendarDate('--contract-end', contractEnd),
    }),
  };
  if (credential !== undefined || set !== undefined || source !== undefined) {
    const connector = await findConnector(session, options.crm);
    if (source !== undefined) change.sourceUrl = parseSourceUrl(source, connector);
    if (set !== undefined) change.settings = parseSettings(set, connector);
    if (credential !== undefined) {
      change.credentials = await session.seal(parseCredentials(credential, connector));
    }
  }
  if (Object.keys(change).length > 0) return change;
  throw new WrongUse(
    'nothing to change: give --source, --credential, --no-credentials, --set, --unset, --every or --contract-end',
  );
}
