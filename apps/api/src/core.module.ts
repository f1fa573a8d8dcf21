import {
  ConfigurableModuleBuilder,
  type DynamicModule,
  type InjectionToken,
  Module,
  type Provider,
} from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { DatabaseModule, POOL_SIZES } from '@passerelle/database';
import type { Traces } from '@passerelle/traces';
import { connectionName } from '@passerelle/settings';
import type { Logger } from 'pino';
import { Clock } from './clock';
import type { ApiConfig } from './config';
import type { Documents } from './discovery/documents';
import type { ErrorFilter } from './http/error.filter';
import { Proxies } from './http/proxies';
import { Answers } from './metrics/answers';
import { Metrics } from './metrics/metrics';
import { Outage } from './metrics/outage';
import { SnapshotAges } from './metrics/snapshot-ages';
import { CONFIG, DOCUMENTS, FIRST_READ_WAIT_MS, LOGGER, TRACES } from './tokens';

/** Objects that are created before the container, because the HTTP server needs them too. */
export interface ApiOptions {
  config: ApiConfig;
  documents: Documents;
  proxies: Proxies;
  clock: Clock;
  logger: Logger;
  traces: Traces;
  answers: Answers;
  outage: Outage;
  errors: ErrorFilter;
  /** How long the first reader of a gateway waits for its first snapshot, in ms. */
  firstReadWaitMs: number;
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<ApiOptions>()
  .setClassMethodName('forRoot')
  .build();

function option(provide: InjectionToken, name: keyof ApiOptions): Provider {
  return { provide, inject: [MODULE_OPTIONS_TOKEN], useFactory: (options: ApiOptions) => options[name] };
}

const OPTIONS = [
  option(CONFIG, 'config'),
  option(Proxies, 'proxies'),
  option(DOCUMENTS, 'documents'),
  option(Clock, 'clock'),
  option(LOGGER, 'logger'),
  option(TRACES, 'traces'),
  option(Answers, 'answers'),
  option(Outage, 'outage'),
  option(FIRST_READ_WAIT_MS, 'firstReadWaitMs'),
];

@Module({
  providers: [...OPTIONS, option(APP_FILTER, 'errors'), Metrics, SnapshotAges],
  exports: [...OPTIONS, Metrics, SnapshotAges, DatabaseModule],
})
export class CoreModule extends ConfigurableModuleClass {
  static override forRoot(options: ApiOptions): DynamicModule {
    const { databaseUrl: url, databaseDirectUrl: directUrl, databaseReadUrl: readUrl } = options.config;
    const { databasePool: poolSize, secretsKey, secretsKeyOld } = options.config;
    const database = DatabaseModule.forRoot('api', {
      ...{ url, directUrl, readUrl, applicationName: connectionName('api') },
      poolSize: poolSize ?? POOL_SIZES.api,
      secretsKeys: { secretsKey, secretsKeyOld },
    });
    return { ...super.forRoot(options), global: true, imports: [database] };
  }
}
