import type { ConnectorRecord } from '@passerelle/domain';
import { type DataSource, In, Not } from 'typeorm';
import { ConnectorEntity } from './connector.entity';

/** The registry of connectors as the ingestor wrote it at its last boot; all that the API knows of them. */
export class Connectors {
  constructor(private readonly dataSource: DataSource) {}

  /** Replaces the registry: connectors that are not in the list are no longer registered. */
  async register(connectors: readonly ConnectorRecord[]): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      const rows = transaction.getRepository(ConnectorEntity);
      await rows.upsert([...connectors], ['id']);
      await rows.delete({ id: Not(In(connectors.map(({ id }) => id))) });
    });
  }

  /** In the order of their codes. */
  async list(): Promise<ConnectorRecord[]> {
    const rows = await this.dataSource.getRepository(ConnectorEntity).find({ order: { id: 'ASC' } });
    return rows.map(({ id, label, type, notes }) => ({ id, label, type, notes }));
  }
}
