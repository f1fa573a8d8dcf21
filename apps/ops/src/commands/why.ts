import type { TracedGateway } from '@passerelle/database/operators';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { renderBlock } from '../render/table';
import type { RenderOptions, Tone } from '../render/render-options';
import { localAndRelative } from '../render/figures';
import {
  explainListing,
  explainPublication,
  type PublicationView,
  Refused,
  troubleOf,
  type WhyView,
} from '@passerelle/operations';
import { UsageError } from '../errors';
import { addCommand, type GatewayName } from './command';

/** The limit of shown gateways: many gateways have a listing with an identifier such as 1. */
const MOST_GATEWAYS = 20;

const TONES: Readonly<Record<WhyView['state'], Tone>> = {
  listed: 'good',
  removed: 'warn',
  rejected: 'bad',
  withdrawn: 'warn',
  held: 'warn',
  unknown: 'faint',
};

interface WhyOptions extends Partial<GatewayName> {
  id: string;
  target?: string;
}

export function addWhy(program: Command, context: CommandContext): void {
  addCommand(
    program,
    'why',
    'Explains where a listing is, or at which step it was lost, and why. Without a gateway it searches all of them.',
    'why --crm kyero --client agence-du-port --id 1042',
  )
    .requiredOption('--id <id>', 'its affId or affNum; with --target its affId')
    .option('--crm <code>', 'the connector')
    .option('--client <slug>', 'the client')
    .option('--target <code>', 'explains where its advert at this portal is')
    .action(async ({ id, crm, client, target }: WhyOptions) => {
      if (crm === undefined || client === undefined) {
        if (crm !== client || target !== undefined)
          throw new UsageError('why needs both --crm and --client, or neither');
        await answerForAll(context, id);
      } else if (target !== undefined) {
        await answerForTarget(context, { crm, client }, id, target);
      } else {
        const view = await explained(context, id, await context.tracedGateway(crm, client));
        context.answer({ json: view, text: (renderOptions) => renderWhy(renderOptions, view) });
      }
    });
}

async function explained(context: CommandContext, id: string, gateway: TracedGateway): Promise<WhyView> {
  const { id: gatewayId, crm, client } = gateway;
  const trace = await (await context.openListingTraces()).trace(gatewayId, id);
  return explainListing({ id, crm, client }, trace, troubleOf(gateway, context.terminal.now()));
}

/** A list of views: gateways that serve the listing come first. @throws Refused when no gateway knows it. */
async function answerForAll(context: CommandContext, id: string): Promise<void> {
  const gateways = await (await context.openListingTraces()).gatewaysWith(id, MOST_GATEWAYS + 1);
  if (gateways.length === 0) throw new Refused(`no gateway has, had or rejected a listing "${id}"`);
  const views: WhyView[] = [];
  for (const gateway of gateways.slice(0, MOST_GATEWAYS)) views.push(await explained(context, id, gateway));
  context.answer({
    json: views,
    text: (options) =>
      [
        ...views.map((view) => renderWhy(options, view)),
        ...(gateways.length > MOST_GATEWAYS ? [`More than ${MOST_GATEWAYS} gateways have it: name one of them.`] : []),
      ].join('\n\n'),
  });
}

/** One view for each placement of the gateway at the target; the value is a list when there are several. */
async function answerForTarget(
  context: CommandContext,
  { crm, client }: GatewayName,
  affId: string,
  target: string,
): Promise<void> {
  await context.gateway(crm, client);
  const { placements, publications } = await context.openDatabase();
  const found = await placements.list({ crm, client, target });
  if (found.length === 0) throw new Refused(`${crm}/${client} has no placement at "${target}"`);
  const views: PublicationView[] = [];
  for (const placement of found) {
    const [publication = null] = await publications.list({ placement: placement.id, affId }, 0, 1);
    views.push(explainPublication(placement, affId, publication));
  }
  context.answer({
    json: views.length === 1 ? views[0] : views,
    text: (options) =>
      views
        .map((view) =>
          renderBlock(options, `${view.id}  ${crm}/${client} at ${target}, placement ${view.placement}`, [
            { label: 'state', value: view.state },
            { label: 'why', value: view.explanation },
            { label: 'since', value: localAndRelative(view.since, options.now) },
            { label: 'url', value: view.url },
          ]),
        )
        .join('\n\n'),
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
