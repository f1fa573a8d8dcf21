import type { InboundWebhookRules, ConnectorRecord } from '@passerelle/domain';
import { DataSource, In, Not, type Repository } from 'typeorm';
import { ConnectorEntity } from '../entities/connector.entity';

export interface RegisteredConnector extends ConnectorRecord {
  /** Null or absent when the connector's CRM sends no webhooks. */
  calls?: InboundWebhookRules | null;
}

/** The registry of connectors as the ingestor wrote it at its last boot. The API's only source of connectors. */
export class Connectors {
  private readonly connectors: Repository<ConnectorEntity>;

  constructor(source: DataSource) {
    this.connectors = source.getRepository(ConnectorEntity);
  }

  /** Replaces the registry, and thereby removes connectors that are not in the list. */
  async register(connectors: readonly RegisteredConnector[]): Promise<void> {
    await this.connectors.manager.transaction(async (transaction) => {
      const rows = transaction.getRepository(ConnectorEntity);
      await rows.upsert(
        connectors.map(({ calls = null, ...connector }) => ({ ...connector, calls })),
        ['id'],
      );
      await rows.delete({ id: Not(In(connectors.map(({ id }) => id))) });
    });
  }

  async list(): Promise<ConnectorRecord[]> {
    const rows = await this.connectors.find({ order: { id: 'ASC' } });
    return rows.map(({ id, label, type, notes }) => ({ id, label, type, notes }));
  }
}
