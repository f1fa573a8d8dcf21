import { randomUUID } from 'node:crypto';
import { Body, Controller, Headers, HttpCode, HttpException, HttpStatus, Inject, Post } from '@nestjs/common';
import { AuditLog, type GatewayDetails, Gateways, RunHistory, RunRequests } from '@passerelle/database';
import { type RunView, SLUG_PATTERN } from '@passerelle/domain';
import { type Actor, requestRun, whyNoRun } from '@passerelle/operations';
import type { Logger } from 'pino';
import { z } from 'zod';
import { LOGGER } from '../tokens';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller has no name, only the OPS_TOKEN. */
const CALLER: Actor = { name: 'operator', through: 'http' };

/** `npm run ops -- ingest` over HTTP, for example for a CRM's webhook. */
@Controller('ingest')
export class IngestController {
  constructor(
    private readonly gateways: Gateways,
    readonly runRequests: RunRequests,
    readonly audit: AuditLog,
    private readonly runHistory: RunHistory,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Requests runs without waiting for their end. Returns one run or, for all gateways, a list. */
  @Post()
  @HttpCode(HttpStatus.ACCEPTED)
  async ingest(
    @Body() body: unknown,
    @Headers('x-request-id') named: string | undefined,
  ): Promise<RunView | RunView[]> {
    const requestId = named !== undefined && REQUEST_ID.test(named) ? named : randomUUID();
    const request = parseIngestRequest(body);
    this.log.info({ request, requestId }, 'runs requested over HTTP');
    if (!('all' in request)) return this.ask(await this.gatewayThatRuns(request), request, requestId);
    const runs: RunView[] = [];
    for (const gateway of await this.gateways.list()) {
      if (whyNoRun(gateway, new Date(), request.dry_run) === null)
        runs.push(await this.ask(gateway, request, requestId));
    }
    return runs;
  }

  private async gatewayThatRuns({
    crm,
    client,
    dry_run,
  }: {
    crm: string;
    client: string;
    dry_run: boolean;
  }): Promise<GatewayDetails> {
    const gateway = await this.gateways.find(crm, client);
    if (gateway === null) throw new HttpException(`there is no gateway ${crm}/${client}`, HttpStatus.NOT_FOUND);
    const inactive = whyNoRun(gateway, new Date(), dry_run);
    if (inactive === null) return gateway;
    throw new HttpException(`the gateway ${crm}/${client} does not run: ${inactive}`, HttpStatus.CONFLICT);
  }

  private async ask(gateway: GatewayDetails, { force, dry_run }: IngestRequest, requestId: string): Promise<RunView> {
    const wishes = { act: 'ingest', dryRun: dry_run, forced: force, requestId } as const;
    const runId = await requestRun(this, CALLER, gateway, wishes);
    const run = await this.runHistory.find(runId);
    if (run === null) throw new HttpException('the gateway was removed', HttpStatus.NOT_FOUND);
    return run;
  }
}

const slug = z.string().regex(SLUG_PATTERN, 'expected letters, digits, hyphens and underscores');
const wishes = { force: z.boolean().default(false), dry_run: z.boolean().default(false) };
const ONE = z.strictObject({ crm: slug, client: slug, ...wishes });
const ALL = z.strictObject({ all: z.literal(true), ...wishes });

type IngestRequest = z.output<typeof ONE> | z.output<typeof ALL>;

/** @throws HttpException 400 for an unusable body. The message names the member. */
function parseIngestRequest(body: unknown): IngestRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw refused('the body must be a JSON object: {"crm": "…", "client": "…"} or {"all": true}');
  }
  const result = 'all' in body ? ALL.safeParse(body) : ONE.safeParse(body);
  if (result.success) return result.data;
  throw refused(result.error.issues.map(sentenceOf).join('; '));
}

function refused(sentence: string): HttpException {
  return new HttpException(sentence, HttpStatus.BAD_REQUEST);
}

function sentenceOf({ path, message }: { path: PropertyKey[]; message: string }): string {
  const what = message.replace(/^Invalid input: /, '');
  return path.length === 0 ? what : `${path.join('.')}: ${what}`;
}
