import type { Command } from 'commander';
import type { GatewayDetails } from '@passerelle/database';
import { inactiveReason } from '@passerelle/domain';
import { explainListing, type GatewayTrouble, type WhyView } from '../explain-listing';
import type { Session } from '../session';
import { renderBlock } from '../show/block';
import type { Look, Tone } from '../show/look';
import { localAndRelative } from '../show/times';
import { addGatewayWord, type GatewayName } from './word';

const TONES: Readonly<Record<WhyView['state'], Tone>> = {
  listed: 'good',
  removed: 'warn',
  rejected: 'bad',
  withdrawn: 'warn',
  held: 'warn',
  unknown: 'faint',
};

export function addWhy(program: Command, session: Session): void {
  addGatewayWord(
    program,
    'why',
    'Says where a listing is, or at which step it fell out, and why.',
    'why --crm kyero --client agence-du-port --id 1042',
  )
    .requiredOption('--id <id>', 'its affId or affNum')
    .action(async ({ crm, client, id }: GatewayName & { id: string }) => {
      const gateway = await session.gateway(crm, client);
      const database = await session.openDatabase();
      const view = explainListing(
        { id, crm, client },
        await database.traceListing(gateway.id, id),
        troubleOf(gateway, session.io.now()),
      );
      session.answer({ json: view, text: (look) => renderWhy(look, view) });
    });
}

function troubleOf(gateway: GatewayDetails, now: Date): GatewayTrouble {
  const { failingSince, failingReason } = gateway;
  return {
    inactive: inactiveReason(gateway, now),
    failing: failingSince === null ? null : { since: failingSince, reason: failingReason ?? '' },
  };
}

function renderWhy(look: Look, view: WhyView): string {
  return renderBlock(look, `${view.id}  ${view.crm}/${view.client}`, [
    { label: 'state', value: view.state, tone: TONES[view.state] },
    { label: 'why', value: view.explanation },
    { label: 'since', value: localAndRelative(view.since ?? null, look.now) },
    { label: 'run', value: view.run ?? null },
    { label: 'snapshot', value: view.snapshot ?? null },
    { label: 'excerpt', value: view.rejection?.excerpt ?? null, tone: 'faint' },
  ]);
}
