import { Controller, Get, Header, Inject, Res } from '@nestjs/common';
import { DatabaseConnection, SchemaUnfit, SecretsKeyCheck, SecretsKeyUnfit } from '@passerelle/database';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { ForEverybody } from '../access/operator.guard';
import { LOGGER } from '../tokens';
import { LIVE_PATH, LIVE_SCRIPT } from '../layout/live';
import { STYLE, STYLE_PATH } from '../layout/style';

/** Serves the health checks of the process supervisor, and the public style sheet and script. */
@Controller()
@ForEverybody()
export class HealthController {
  constructor(
    private readonly connection: DatabaseConnection,
    private readonly secretsKey: SecretsKeyCheck,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  @Get('health/live')
  @Header('content-type', 'application/json')
  live(): string {
    return JSON.stringify({ status: 'ok' });
  }

  @Get('health/ready')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    const fault = await this.faultOfDatabase();
    const health = fault === null ? { status: 'ok' } : { status: 'unavailable', database: fault };
    await reply
      .status(fault === null ? 200 : 503)
      .type('application/json')
      .send(JSON.stringify(health));
  }

  private async faultOfDatabase(): Promise<string | null> {
    try {
      await this.connection.assertSchemaFits();
      await this.secretsKey.assertFits();
      return null;
    } catch (error) {
      this.log.warn({ err: error }, 'the database does not answer, or its schema or SECRETS_KEY does not fit');
      return error instanceof SchemaUnfit || error instanceof SecretsKeyUnfit ? error.message : 'unavailable';
    }
  }

  @Get(LIVE_PATH)
  @Header('content-type', 'text/javascript; charset=utf-8')
  @Header('cache-control', 'public, max-age=31536000, immutable')
  script(): string {
    return LIVE_SCRIPT;
  }

  @Get(STYLE_PATH)
  @Header('content-type', 'text/css; charset=utf-8')
  @Header('cache-control', 'public, max-age=31536000, immutable')
  style(): string {
    return STYLE;
  }
}
