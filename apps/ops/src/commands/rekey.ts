import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { sentenceOf } from '../errors';
import { counted } from '../render/amounts';
import { addCommand } from './command';

interface Rekeyed {
  /** How many gateways are sealed with SECRETS_KEY now. */
  sealed: number;
  /** Gateways whose source no key opens; they stay as they are. */
  unreadable: { crm: string; client: string; error: string }[];
  /** Keys that are hashed with SECRETS_KEY, and those that wait for their next use. */
  keys: { current: number; waiting: number };
}

export function addRekey(parent: Command, context: CommandContext): void {
  addCommand(
    parent,
    'rekey',
    'Seals every source with SECRETS_KEY; SECRETS_KEY_OLD opens what the key before has sealed. Run it when no process of ' +
      'the release before is left: it takes away what only that one reads.',
    'rekey',
  ).action(async () => {
    const box = await context.requireSecretBox('rekey');
    const hashes = await context.keyHashes();
    const { gateways, storedKeys } = await context.openDatabase();
    const rekeyed: Rekeyed = { sealed: 0, unreadable: [], keys: { current: 0, waiting: 0 } };
    for (const { id, crm, client } of await gateways.list()) {
      try {
        await gateways.reseal(id, box);
        rekeyed.sealed += 1;
      } catch (error) {
        rekeyed.unreadable.push({ crm, client, error: sentenceOf(error) });
      }
    }
    await storedKeys.forgetFormerHashes();
    for (const { keyId, count } of await storedKeys.countBySecret()) {
      rekeyed.keys[hashes.isCurrent({ keyId }) ? 'current' : 'waiting'] += count;
    }
    const names = rekeyed.unreadable.map(({ crm, client }) => `${crm}/${client}`).join(', ');
    const failure = names === '' ? undefined : `no key opens the source of ${names}: give it anew`;
    context.answer({
      json: { ...rekeyed, ...(failure !== undefined && { error: failure }) },
      text: () => describe(rekeyed),
      failure,
    });
  });
}

function describe({ sealed, keys: { current, waiting } }: Rekeyed): string {
  const keys =
    waiting === 0
      ? `every key (${current}) is hashed with it: SECRETS_KEY_OLD may go`
      : `${counted(waiting, 'key')} of ${current + waiting} will be at their next use: keep SECRETS_KEY_OLD until then`;
  return `${counted(sealed, 'source')} sealed with SECRETS_KEY; ${keys}`;
}
