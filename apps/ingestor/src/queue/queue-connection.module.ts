import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseConnection } from '@passerelle/database';
import { connectQueue } from '@passerelle/queue';
import type { IngestorConfig } from '../config';
import { QUEUE_CONNECTION } from '../tokens';

/**
 * The connection of the queue and its worker. It is made when the database answers: until then, a queue would only log
 * errors. Close the connection after the application.
 */
@Module({})
export class QueueConnectionModule {
  static forRoot(config: IngestorConfig, database: Promise<DynamicModule>): DynamicModule {
    return {
      module: QueueConnectionModule,
      imports: [database],
      providers: [{ provide: QUEUE_CONNECTION, inject: [DatabaseConnection], useFactory: () => connectQueue(config) }],
      exports: [QUEUE_CONNECTION],
    };
  }
}
