import { Inject, Injectable } from '@nestjs/common';
import {
  type Connector,
  type ConnectorRegistry,
  type FeedReading,
  openFeed,
  type OutboundPolicy,
} from '@passerelle/connectors';
import { HostBudgets, type IngestGateway } from '@passerelle/database';
import { AccessRefused } from '@passerelle/domain';
import { OUTBOUND, REGISTRY } from '../tokens';
import { admissionOf } from './request-budget';
import type { SnapshotAssembly } from './snapshot-assembly';
import { SourceCredentials } from './source-credentials';

/** The feeds of gateways: which connector reads each, with which credentials, within which budget of requests. */
@Injectable()
export class GatewayFeeds {
  constructor(
    @Inject(REGISTRY) private readonly registry: Pick<ConnectorRegistry, 'get'>,
    @Inject(OUTBOUND) private readonly outbound: OutboundPolicy,
    private readonly credentials: SourceCredentials,
    private readonly hostBudgets: HostBudgets,
  ) {}

  /** @throws AccessRefused */
  connectorOf({ crm }: IngestGateway): Connector {
    const connector = this.registry.get(crm);
    if (connector === undefined) throw new AccessRefused(`no connector "${crm}" is registered in this version`);
    return connector;
  }

  /**
   * Opens the feed of a gateway. Records that the current snapshot knows are not parsed.
   *
   * @throws AccessRefused when this process cannot read the gateway's credentials.
   */
  open(gateway: IngestGateway, connector: Connector, assembly: SnapshotAssembly, signal: AbortSignal): FeedReading {
    const { settings } = gateway;
    const source = {
      url: gateway.sourceUrl,
      credentials: this.credentials.open(gateway.credentials),
      settings: gateway.sourceSettings,
    };
    const admit = admissionOf(this.hostBudgets, { settings, quota: connector.quota, source });
    return openFeed(connector, {
      source,
      // Without a snapshot, "not modified" would confirm nothing.
      previous: gateway.currentSnapshotId === null ? {} : gateway.feedMemory,
      beforeRecords: () => assembly.begin(),
      isKnown: (hash) => assembly.isKnown(hash),
      ignoresDeclaredCount: settings.ignoresDeclaredCount,
      outbound: {
        ...this.outbound,
        admit,
        ...(settings.leastRate !== null && {
          leastRate: { ...this.outbound.leastRate, bytesPerSecond: settings.leastRate },
        }),
      },
      signal,
    });
  }
}
