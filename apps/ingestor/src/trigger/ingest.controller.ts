import { randomUUID } from 'node:crypto';
import { Body, Controller, Headers, HttpCode, HttpException, HttpStatus, Inject, Post } from '@nestjs/common';
import { AuditLog, type GatewayDetails, Gateways, RunHistory, RunRequests } from '@passerelle/database';
import { inactiveReason, isGatewayActive, type RunView } from '@passerelle/domain';
import { type Actor, askForRun } from '@passerelle/operations';
import type { Logger } from 'pino';
import { LOGGER } from '../tokens';
import { BadIngestRequest, type IngestRequest, parseIngestRequest } from './ingest-request';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** All that is known of them is that they have the OPS_TOKEN. */
const CALLER: Actor = { name: 'operator', through: 'http' };

/** `npm run ops -- ingest` for those who trigger by HTTP, a CRM's webhook for instance. */
@Controller('ingest')
export class IngestController {
  constructor(
    private readonly gateways: Gateways,
    readonly runRequests: RunRequests,
    readonly audit: AuditLog,
    private readonly runHistory: RunHistory,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Asks for the runs and answers at once, with one run or, for all gateways, with a list. */
  @Post()
  @HttpCode(HttpStatus.ACCEPTED)
  async ingest(
    @Body() body: unknown,
    @Headers('x-request-id') named: string | undefined,
  ): Promise<RunView | RunView[]> {
    const requestId = named !== undefined && REQUEST_ID.test(named) ? named : randomUUID();
    const request = parse(body);
    this.log.info({ request, requestId }, 'runs asked for over HTTP');
    if (!('all' in request)) return this.ask(await this.activeGateway(request), request, requestId);
    const runs: RunView[] = [];
    for (const gateway of await this.gateways.list()) {
      if (isGatewayActive(gateway, new Date())) runs.push(await this.ask(gateway, request, requestId));
    }
    return runs;
  }

  private async activeGateway({ crm, client }: { crm: string; client: string }): Promise<GatewayDetails> {
    const gateway = await this.gateways.find(crm, client);
    if (gateway === null) throw new HttpException(`there is no gateway ${crm}/${client}`, HttpStatus.NOT_FOUND);
    const inactive = inactiveReason(gateway, new Date());
    if (inactive === null) return gateway;
    throw new HttpException(`the gateway ${crm}/${client} does not run: ${inactive}`, HttpStatus.CONFLICT);
  }

  private async ask(gateway: GatewayDetails, { force, dry_run }: IngestRequest, requestId: string): Promise<RunView> {
    const wishes = { act: 'ingest', dryRun: dry_run, forced: force, requestId } as const;
    const runId = await askForRun(this, CALLER, gateway, wishes);
    const run = await this.runHistory.find(runId);
    if (run === null) throw new HttpException('the gateway was removed', HttpStatus.NOT_FOUND);
    return run;
  }
}

function parse(body: unknown): IngestRequest {
  try {
    return parseIngestRequest(body);
  } catch (error) {
    if (error instanceof BadIngestRequest) throw new HttpException(error.message, HttpStatus.BAD_REQUEST);
    throw error;
  }
}
