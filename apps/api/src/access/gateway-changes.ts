import { EventEmitter, once } from 'node:events';
import type { Database, Notifications } from '@passerelle/database';
import { GATEWAY_CHANGED_CHANNEL } from '@passerelle/domain';
import type { GatewayCache } from './gateway-cache';

/** Hears from PostgreSQL which gateways have changed, and tells the memory and whoever waits for one. */
export class GatewayChanges {
  private readonly emitter = new EventEmitter().setMaxListeners(0);
  private readonly notifications: Notifications;

  constructor(database: Database, cache: GatewayCache) {
    this.notifications = database.notifications([GATEWAY_CHANGED_CHANNEL], {
      onNotification: (_channel, payload) => {
        cache.forget(Number(payload));
        this.emitter.emit(payload);
      },
      onStateChange: (isListening) => {
        cache.setListening(isListening);
      },
    });
  }

  /** Resolves at the gateway's next change; rejects when the signal says to stop waiting. */
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
