import type { Command } from 'commander';
import { generateApiKey, hashApiKey, visiblePrefix } from '@passerelle/domain';
import { parseApiKey } from '../options/api-key';
import { parseDuration } from '../options/duration';
import type { Session } from '../session';
import { span } from '../show/times';
import { showGateway } from './gateway-show';
import { addGatewayWord, type GatewayName } from './word';

export function addGatewayEnable(gateway: Command, session: Session): void {
  addGatewayWord(
    gateway,
    'enable',
    'Lets a disabled gateway serve and run again, at once.',
    'gateway enable --crm kyero --client agence-du-port',
  ).action(async (options: GatewayName) => {
    await setEnabled(session, options, true);
  });
}

export function addGatewayDisable(gateway: Command, session: Session): void {
  addGatewayWord(
    gateway,
    'disable',
    'Stops a gateway: its clients get 403 and it runs no more. Nothing of it is lost.',
    'gateway disable --crm kyero --client agence-du-port',
  ).action(async (options: GatewayName) => {
    await setEnabled(session, options, false);
  });
}

async function setEnabled(session: Session, options: GatewayName, isEnabled: boolean): Promise<void> {
  const { id } = await session.gateway(options.crm, options.client);
  const { gateways } = await session.openDatabase();
  await gateways.setEnabled(id, isEnabled);
  session.answer(await showGateway(session, options));
}

export function addGatewayRemove(gateway: Command, session: Session): void {
  addGatewayWord(
    gateway,
    'remove',
    'Removes a gateway with its keys, listings, runs and reports. There is no way back.',
    'gateway remove --crm kyero --client agence-du-port',
  )
    .option('--yes', 'changes nothing: no question is asked anyway')
    .action(async ({ crm, client }: GatewayName) => {
      const { id } = await session.gateway(crm, client);
      const { gateways } = await session.openDatabase();
      await gateways.remove(id);
      session.answer({ json: { crm, client, removed: true }, text: () => `${crm}/${client} is removed` });
    });
}

const DEFAULT_OVERLAP = '7d';

interface RotateOptions extends GatewayName {
  overlap: string;
  key?: string;
}

export function addGatewayRotateKey(gateway: Command, session: Session): void {
  addGatewayWord(
    gateway,
    'rotate-key',
    'Prints a new API key, this once; the older ones work on for a while.',
    'gateway rotate-key --crm kyero --client agence-du-port --overlap 2d',
  )
    .option('--overlap <duration>', 'how long the older keys work on: 12h, 7d, or 0s to end them now', DEFAULT_OVERLAP)
    .option('--key <key>', 'an API key of your own: 8 to 256 printable characters (default: a new one)')
    .action(async ({ crm, client, overlap, key: ownKey }: RotateOptions) => {
      const overlapSeconds = parseDuration('--overlap', overlap, 0);
      const key = ownKey === undefined ? generateApiKey() : parseApiKey('--key', ownKey);
      const { id } = await session.gateway(crm, client);
      const { gateways } = await session.openDatabase();
      const stored = { hash: hashApiKey(key, await gateways.keyPepper()), prefix: visiblePrefix(key) };
      await gateways.rotateKey(id, stored, overlapSeconds);
      const older =
        overlapSeconds === 0 ? 'the older keys have ended' : `the older keys end in ${span(overlapSeconds)}`;
      session.answer({
        json: { crm, client, key },
        text: () => `${crm}/${client}: the new key, shown this once; ${older}\n${key}`,
      });
    });
}
