import { Controller, Get, Header, Inject, UseInterceptors } from '@nestjs/common';
import { DatabaseConnection, retryLostRead, SchemaUnfit, SecretsKeyCheck, SecretsKeyUnfit } from '@passerelle/database';
import { ApiError } from '@passerelle/domain';
import type { Logger } from 'pino';
import { CACHE_NEVER } from '../http/response-headers';
import { type Members, SuccessEnvelope } from '../http/success-envelope';
import { Outage } from '../metrics/outage';
import { LOGGER } from '../tokens';

@Controller('health')
@UseInterceptors(SuccessEnvelope)
export class HealthController {
  private isClosing = false;

  constructor(
    private readonly connection: DatabaseConnection,
    private readonly secretsKey: SecretsKeyCheck,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly outage: Outage,
  ) {}

  @Get('live')
  @Header('cache-control', CACHE_NEVER)
  live(): Members {
    return { data: { live: true } };
  }

  @Get('ready')
  @Header('cache-control', CACHE_NEVER)
  async ready(): Promise<Members> {
    if (this.isClosing) throw new ApiError('INTERNAL_ERROR', 'Shutting down.');
    try {
      return await retryLostRead(() => this.ofDatabase());
    } catch (error) {
      if (error instanceof SchemaUnfit || error instanceof SecretsKeyUnfit)
        throw new ApiError('INTERNAL_ERROR', `Not ready: ${error.message}.`);
      if (!this.outage.covers(error)) this.logger.error({ err: error }, 'the database does not answer');
      throw new ApiError('INTERNAL_ERROR', 'The database does not answer.');
    }
  }

  private async ofDatabase(): Promise<Members> {
    await this.connection.assertSchemaFits();
    // The secrets may have been rotated while this process has an old key.
    await this.secretsKey.assertFits();
    // A read-only database is enough to serve reads, so the process is ready. It reports this limitation.
    if (await this.connection.isReadOnly()) return { data: { ready: true, database: 'read-only' } };
    return { data: { ready: true } };
  }

  beginShutdown(): void {
    this.isClosing = true;
  }
}
