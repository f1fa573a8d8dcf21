import { Controller, Get, Header, Inject, Res } from '@nestjs/common';
import { DatabaseConnection, SchemaUnfit, SecretsKeyCheck, SecretsKeyUnfit } from '@passerelle/database';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { ForEverybody } from '../access/operator.guard';
import { LOGGER } from '../tokens';
import { LIVE_PATH, LIVE_SCRIPT } from '../layout/live';
import { STYLE, STYLE_PATH } from '../layout/style';

/** For what watches the process; and the style and the script, which everybody may have. */
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
  @Header('content-type', 'application/json')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    try {
      await this.connection.assertSchemaFits();
      await this.secretsKey.assertFits();
    } catch (error) {
      this.log.warn({ err: error }, 'the database does not answer, or its schema or SECRETS_KEY does not fit');
      void reply.status(503);
      const isUnfit = error instanceof SchemaUnfit || error instanceof SecretsKeyUnfit;
      return JSON.stringify({ status: 'unavailable', database: isUnfit ? error.message : 'unavailable' });
    }
    return JSON.stringify({ status: 'ok' });
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
