import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { Database } from '@passerelle/database';
import { ApiError } from '@passerelle/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { CACHE_NEVER, JSON_TYPE } from '../http/response-headers';
import { LOGGER } from '../tokens';

/** For whoever runs the process: is it alive, and can it serve. */
@Controller('health')
export class HealthController {
  private isClosing = false;

  constructor(
    private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get('live')
  live(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    answer(request, reply, { live: true });
  }

  @Get('ready')
  async ready(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (this.isClosing) throw new ApiError('INTERNAL_ERROR', 'Shutting down.');
    try {
      await this.database.ping();
    } catch (error) {
      this.logger.error({ err: error }, 'the database does not answer');
      throw new ApiError('INTERNAL_ERROR', 'The database does not answer.');
    }
    answer(request, reply, { ready: true });
  }

  beforeApplicationShutdown(): void {
    this.isClosing = true;
  }
}

function answer(request: FastifyRequest, reply: FastifyReply, data: object): void {
  reply.header('content-type', JSON_TYPE).header('cache-control', CACHE_NEVER);
  reply.send(JSON.stringify({ status: 'success', data, request_id: request.id }));
}
