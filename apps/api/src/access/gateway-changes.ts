import { EventEmitter, once } from 'node:events';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DatabaseConnection, type Notifications } from '@passerelle/database';
import { GATEWAY_CHANGED_CHANNEL, PUBLICATION_DUE_CHANNEL, WRITES_REFUSED_CHANNEL } from '@passerelle/domain';
import { GatewayCache } from './gateway-cache';

export interface ChangeListener {
  /** Called when a list is about to be published. */
  publicationDue: (gatewayId: number) => void;
  /** Called when a gateway has changed, before any request reads it again. */
  changed: (gatewayId: number) => void;
  /** Called when the database refused, or perhaps refused, a write of an API process. */
  writesRefused: () => void;
}

const CHANNELS = [GATEWAY_CHANGED_CHANNEL, PUBLICATION_DUE_CHANNEL, WRITES_REFUSED_CHANNEL];

/** PostgreSQL's notifications of changed gateways: they clear the cache and wake readers that wait. */
@Injectable()
export class GatewayChanges implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Counts interruptions of notifications. After each, another server may be primary and may have reassigned ids. */
  listenerReconnects = 0;
  private readonly emitter = new EventEmitter().setMaxListeners(0);
  private readonly notifications: Notifications;
  private readonly listeners: ChangeListener[] = [];

  constructor(connection: DatabaseConnection, cache: GatewayCache) {
    this.notifications = connection.notifications(CHANNELS, {
      onNotification: (channel, payload) => {
        if (channel === WRITES_REFUSED_CHANNEL) {
          for (const { writesRefused } of this.listeners) writesRefused();
          return;
        }
        if (channel === PUBLICATION_DUE_CHANNEL) {
          for (const { publicationDue } of this.listeners) publicationDue(Number(payload));
          return;
        }
        cache.forget(Number(payload));
        // Listeners run before the next read, because they store the pagination sessions on the former list.
        for (const { changed } of this.listeners) changed(Number(payload));
        this.emitter.emit(payload);
      },
      onStateChange: (isListening) => {
        cache.setListening(isListening);
        if (!isListening) this.listenerReconnects += 1;
        // A notification of a refusal may have been lost during the interruption.
        if (this.listenerReconnects > 0) for (const { writesRefused } of this.listeners) writesRefused();
      },
    });
  }

  addListener(listener: ChangeListener): void {
    this.listeners.push(listener);
  }

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
