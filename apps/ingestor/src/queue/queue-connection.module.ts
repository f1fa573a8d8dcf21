import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseConnection } from '@passerelle/database';
import { connectQueue } from '@passerelle/queue';
import type { IngestorConfig } from '../config';
import { QUEUE_CONNECTION } from '../tokens';

/** Waits for the database, because a queue would only log errors before. Close it after the application. */
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
