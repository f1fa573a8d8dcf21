import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { renderBlock } from '../render/table';
import type { RenderOptions, Tone } from '../render/render-options';
import { localAndRelative } from '../render/figures';
import { explainListing, troubleOf, type WhyView } from '@passerelle/operations';
import { addGatewayCommand, type GatewayName } from './command';

const TONES: Readonly<Record<WhyView['state'], Tone>> = {
  listed: 'good',
  removed: 'warn',
  rejected: 'bad',
  withdrawn: 'warn',
  held: 'warn',
  unknown: 'faint',
};

export function addWhy(program: Command, context: CommandContext): void {
  addGatewayCommand(
    program,
    'why',
    'Explains where a listing is, or at which step it was lost, and why.',
    'why --crm kyero --client agence-du-port --id 1042',
  )
    .requiredOption('--id <id>', 'its affId or affNum')
    .action(async ({ crm, client, id }: GatewayName & { id: string }) => {
      const gateway = await context.tracedGateway(crm, client);
      const traces = await context.openListingTraces();
      const view = explainListing(
        { id, crm, client },
        await traces.trace(gateway.id, id),
        troubleOf(gateway, context.terminal.now()),
      );
      context.answer({ json: view, text: (renderOptions) => renderWhy(renderOptions, view) });
    });
}

function renderWhy(options: RenderOptions, view: WhyView): string {
  return renderBlock(options, `${view.id}  ${view.crm}/${view.client}`, [
    { label: 'state', value: view.state, tone: TONES[view.state] },
    { label: 'why', value: view.explanation },
    { label: 'since', value: localAndRelative(view.since ?? null, options.now) },
    { label: 'kept since', value: localAndRelative(view.kept_since ?? null, options.now), tone: 'warn' },
    { label: 'run', value: view.run ?? null },
    { label: 'snapshot', value: view.snapshot ?? null },
    { label: 'excerpt', value: view.rejection?.excerpt ?? null, tone: 'faint' },
  ]);
}
