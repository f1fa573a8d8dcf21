import { type ListedPause } from '@passerelle/database';
import { assertSlug, pause, type PausedScope, QUEUE_PATIENCE_SECONDS, resume } from '@passerelle/operations';
import type { Command } from 'commander';
import type { CommandContext, CommandResult } from '../command-context';
import { UsageError } from '../errors';
import { parseUntil } from '../options/values';
import { counted, localAndRelative } from '../render/figures';
import { renderTable } from '../render/table';
import { addCommand } from './command';

interface ScopeOptions {
  crm?: string;
  client?: string;
  host?: string;
  reason?: string;
}

export function addPause(program: Command, context: CommandContext): void {
  addScopeOptions(
    addCommand(
      program,
      'pause',
      'Stops reading the sources of a connector, a host or a gateway; their lists are still served.',
      'pause --crm kyero --until 4h --reason "Kyero moves its servers"',
    ),
  )
    .option('--until <time>', '90m, 12h, 7d, a day or a time in UTC as YYYY-MM-DDTHH:MM (default: until resumed)')
    .option('--reason <text>', 'why; shown to sites')
    .action(async ({ until: text, reason, ...names }: ScopeOptions & { until?: string }) => {
      const now = context.terminal.now();
      const until = text === undefined ? null : parseUntil('--until', text, now);
      const [scope, actor] = [await scopeOf(context, names), await context.actor()];
      const gateways = await pause(await context.openDatabase(), actor, scope, { until, reason: reason ?? null, now });
      const end = until === null ? 'until an operator resumes it' : `until ${until.toISOString()}`;
      context.answer({
        json: { gateways, until: until?.toISOString() ?? null, reason: reason ?? null },
        text: () => `${counted(gateways, 'gateway')} paused ${end}; a run that has started continues`,
      });
    });
}

export function addResume(program: Command, context: CommandContext): void {
  addScopeOptions(
    addCommand(
      program,
      'resume',
      'Ends a pause. Gateways that no other pause covers run immediately.',
      'resume --crm kyero',
    ),
  )
    .option('--reason <text>', 'why; recorded in the audit')
    .action(async ({ reason, ...names }: ScopeOptions) => {
      const [scope, actor] = [await scopeOf(context, names), await context.actor()];
      const { resumed, stillPaused } = await resume(await context.openDatabase(), actor, scope, reason);
      const rest = stillPaused === 0 ? '' : `; ${counted(stillPaused, 'gateway')} still paused by another pause`;
      context.answer({
        json: { resumed, still_paused: stillPaused },
        text: () => `${counted(resumed, 'gateway')} resumed${rest}`,
      });
    });
}

export function addPauses(program: Command, context: CommandContext): void {
  addCommand(program, 'pauses', 'Lists what is paused, until when, by whom and why.', 'pauses').action(async () => {
    const { announcements, gatewaySummaries, pauses } = await context.openDatabase();
    const { isPaused } = await announcements.facts(QUEUE_PATIENCE_SECONDS);
    const ofQueue = isPaused ? [queuePause((await gatewaySummaries.list()).length)] : [];
    context.answer(resultOf([...ofQueue, ...(await pauses.list())], context.terminal.now()));
  });
}

/** A pause as shown; the pause of the queue itself has no author and no time. */
type ShownPause = Pick<ListedPause, 'crm' | 'client' | 'host' | 'until' | 'reason' | 'gateways'> & {
  since: string | null;
  by: string | null;
};

/** A pause of the whole queue, which stops every gateway. No Passerelle command pauses a queue. */
function queuePause(gateways: number): ShownPause {
  const reason = 'another tool has paused the queue: restart an ingestor, which resumes it';
  return { crm: null, client: null, host: null, until: null, since: null, by: null, reason, gateways };
}

function addScopeOptions(command: Command): Command {
  return command
    .option('--crm <code>', 'the connector')
    .option('--client <slug>', 'one gateway of it')
    .option('--host <name>', 'the host of the sources; with --crm, only the sources of that connector');
}

/** @throws UsageError, and Refused when there is no such gateway. */
async function scopeOf(context: CommandContext, { crm, client, host }: ScopeOptions): Promise<PausedScope> {
  if (client !== undefined) {
    if (crm === undefined) throw new UsageError('--client needs --crm');
    if (host !== undefined) throw new UsageError('--client and --host exclude each other');
    return { gateway: await context.gateway(crm, client) };
  }
  if (crm === undefined && host === undefined) throw new UsageError('--crm or --host is missing');
  if (crm !== undefined) assertSlug('--crm', crm);
  return { ...(crm !== undefined && { crm }), ...(host !== undefined && { host }) };
}

function resultOf(pauses: readonly ShownPause[], now: Date): CommandResult {
  return {
    json: pauses.map(({ crm, client, host, until, since, by, reason, gateways }) => ({
      ...{ crm, client, host, until, since, by, reason, gateways },
    })),
    text: (options) =>
      renderTable(
        options,
        [
          { title: 'CRM', value: ({ crm }) => crm },
          { title: 'CLIENT', value: ({ client }) => client },
          { title: 'HOST', value: ({ host }) => host },
          { title: 'UNTIL', value: ({ until }) => localAndRelative(until, now) ?? 'resumed' },
          { title: 'BY', value: ({ by }) => by },
          { title: 'GATEWAYS', value: ({ gateways }) => gateways, align: 'right' },
          { title: 'REASON', value: ({ reason }) => reason },
        ],
        pauses,
        'nothing is paused',
      ),
  };
}
