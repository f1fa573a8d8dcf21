import { EventEmitter, once } from 'node:events';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DatabaseConnection, type Notifications } from '@passerelle/database';
import { GATEWAY_CHANGED_CHANNEL, PUBLICATION_DUE_CHANNEL } from '@passerelle/domain';
import { ReaderWalks } from '../properties/reader-walks';
import { GatewayCache } from './gateway-cache';

/** PostgreSQL's notifications of changed gateways: they empty the cache and wake readers that wait. */
@Injectable()
export class GatewayChanges implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly emitter = new EventEmitter().setMaxListeners(0);
  private readonly notifications: Notifications;

  constructor(connection: DatabaseConnection, cache: GatewayCache, walks: ReaderWalks) {
    this.notifications = connection.notifications([GATEWAY_CHANGED_CHANNEL, PUBLICATION_DUE_CHANNEL], {
      onNotification: (channel, payload) => {
        if (channel === PUBLICATION_DUE_CHANNEL) {
          walks.expect(Number(payload));
          return;
        }
        cache.forget(Number(payload));
        // Before anybody reads the gateway anew: walks through its former list must be known to all by then.
        walks.save(Number(payload));
        this.emitter.emit(payload);
      },
      onStateChange: (isListening) => {
        cache.setListening(isListening);
        if (isListening) walks.saveAll();
      },
    });
  }

  /** Resolves at the gateway's next change; rejects when the signal aborts. */
  async next(gatewayId: number, signal: AbortSignal): Promise<void> {
    await once(this.emitter, String(gatewayId), { signal });
  }

  onApplicationBootstrap(): Promise<void> {
    return this.notifications.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.notifications.close();
  }
}
