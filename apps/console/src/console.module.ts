import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { DatabaseModule, POOL_SIZES, SignIns } from '@passerelle/database';
import { connectionName } from '@passerelle/settings';
import type { Logger } from 'pino';
import type { ConsoleConfig } from './config';
import { ConsoleErrorFilter } from './access/error.filter';
import { OperatorGuard } from './access/operator.guard';
import { Provider } from './access/provider';
import { ProviderController } from './access/provider.controller';
import { ProviderRoles } from './access/provider-roles';
import { SignInController } from './access/sign-in.controller';
import { SignInLimits } from './access/sign-in-limits';
import { TrustedHeader } from './access/trusted-header';
import { GatewayBoard } from './board/gateway-board';
import { Services } from './board/services';
import { AdvertsController } from './exports/adverts.controller';
import { ExportsController } from './exports/exports.controller';
import { FoundListingsController } from './gateways/found-listings';
import { EditController } from './editing/edit.controller';
import { GatewayController } from './gateways/gateway.controller';
import { GatewaysController } from './gateways/gateways.controller';
import { KeysController } from './editing/keys.controller';
import { FollowUpsController } from './gateways/follow-ups.controller';
import { SavedViewsController } from './gateways/saved-views.controller';
import { SnapshotsController } from './gateways/snapshots.controller';
import { AddController } from './connectors/add.controller';
import { AddedGateways } from './connectors/added-gateways';
import { ConnectorsController } from './connectors/connectors.controller';
import { CsvController } from './connectors/csv.controller';
import type { Declaration } from './connectors/known-connectors';
import { Trials } from './connectors/trials';
import { DeliveriesController } from './deliveries/deliveries.controller';
import { AuditController, AuditCsvController } from './history/audit.controller';
import { OperatorsController } from './history/operators.controller';
import { HomeController } from './home/home.controller';
import { HealthController } from './health/health.controller';
import { ConsoleMetrics } from './metrics/console-metrics';
import { MetricsController } from './metrics/metrics.controller';
import { NotificationsController } from './notifications/notifications.controller';
import { PushController } from './push/push.controller';
import { RunsController } from './runs/runs.controller';
import { CLOCK, type Clock, CONFIG, DECLARATIONS, LOGGER, PROVIDER, TRUSTED_HEADER } from './tokens';

const STATEMENT_TIMEOUT_MS = 20_000;

export interface ConsoleDependencies {
  config: ConsoleConfig;
  log: Logger;
  clock: Clock;
  declared: readonly Declaration[];
}

@Module({})
export class ConsoleModule {
  static forRoot({ config, log, clock, declared }: ConsoleDependencies): DynamicModule {
    const { provider, trustedHeader } = config;
    return {
      module: ConsoleModule,
      imports: [
        DatabaseModule.forRoot('console', {
          url: config.databaseUrl,
          directUrl: config.databaseDirectUrl,
          applicationName: connectionName('console'),
          poolSize: config.databasePool ?? POOL_SIZES.console,
          statementTimeoutMs: STATEMENT_TIMEOUT_MS,
          secretsKeys: config,
        }),
      ],
      controllers: [
        HealthController,
        MetricsController,
        SignInController,
        ProviderController,
        HomeController,
        GatewaysController,
        SavedViewsController,
        FollowUpsController,
        GatewayController,
        SnapshotsController,
        EditController,
        KeysController,
        PushController,
        FoundListingsController,
        AddController,
        CsvController,
        ConnectorsController,
        RunsController,
        ExportsController,
        AdvertsController,
        DeliveriesController,
        NotificationsController,
        AuditController,
        AuditCsvController,
        OperatorsController,
      ],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: LOGGER, useValue: log },
        { provide: CLOCK, useValue: clock },
        { provide: DECLARATIONS, useValue: declared },
        { provide: PROVIDER, useValue: provider && new Provider(provider, `${config.url}/sign-in/callback`) },
        { provide: TRUSTED_HEADER, useValue: trustedHeader && new TrustedHeader(trustedHeader) },
        { provide: APP_GUARD, useClass: OperatorGuard },
        { provide: APP_FILTER, useClass: ConsoleErrorFilter },
        ConsoleMetrics,
        GatewayBoard,
        Services,
        {
          provide: SignInLimits,
          inject: [SignIns],
          useFactory: (signIns: SignIns) => new SignInLimits(signIns, () => performance.now()),
        },
        ProviderRoles,
        Trials,
        AddedGateways,
      ],
    };
  }
}
