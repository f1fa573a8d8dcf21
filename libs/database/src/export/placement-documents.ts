import { Pool } from 'pg';
import { inTransaction } from '../transaction';
import { type ExportFence, ExportTakenOver } from './publications';

/** A document that a portal fetches, as the API finds it. */
export interface PlacementDocument {
  placementId: number;
  hash: string;
  contentType: string;
}

const PART_BYTES = 256 * 1024;

/** Documents that portals fetch. They are in the database, because the media store is optional. */
export class PlacementDocuments {
  constructor(private readonly pool: Pool) {}

  /**
   * Replaces the document. The previous one stays readable for readers that have begun it. @param bytes compressed by gzip
   * @throws ExportTakenOver
   */
  async store(
    { id, fence, gatewayId, placementId }: ExportFence,
    { hash, contentType }: Pick<PlacementDocument, 'hash' | 'contentType'>,
    bytes: AsyncIterable<Buffer>,
  ): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query(
        `SELECT FROM outbox WHERE id = $1 AND fence = $2 AND state = 'pending' FOR UPDATE`,
        [id, fence],
      );
      if (rowCount !== 1) throw new ExportTakenOver('another process has taken this export over');
      await client.query(
        `DELETE FROM placement_document d WHERE placement_id = $1
           AND (hash = $2 OR hash <> (SELECT document_hash FROM placement WHERE id = $1))`,
        [placementId, hash],
      );
      let part = 0;
      for await (const body of inParts(bytes)) {
        await client.query(
          `INSERT INTO placement_document (gateway_id, placement_id, hash, part, body, content_type) VALUES ($1, $2, $3, $4, $5, $6)`,
          [gatewayId, placementId, hash, part, body, contentType],
        );
        part += 1;
      }
      await client.query('UPDATE placement SET document_hash = $2 WHERE id = $1', [placementId, hash]);
    });
  }

  /** The current document of a gateway for a target. @param placement only this one; else the oldest that is on */
  async find(gatewayId: number, target: string, placement: number | null): Promise<PlacementDocument | null> {
    const { rows } = await this.pool.query<PlacementDocument>({
      name: 'placement-document',
      text: `SELECT p.id AS "placementId", d.hash, d.content_type AS "contentType" FROM placement p
             JOIN placement_document d ON d.placement_id = p.id AND d.hash = p.document_hash AND d.part = 0
             WHERE p.gateway_id = $1 AND p.target = $2 AND ($3::bigint IS NULL OR p.id = $3) ORDER BY p.id LIMIT 1`,
      values: [gatewayId, target, placement],
    });
    return rows[0] ?? null;
  }

  /** @throws Error when the document was replaced twice meanwhile */
  async *read({ placementId, hash }: PlacementDocument): AsyncGenerator<Buffer, undefined> {
    for (let part = 0; ; part += 1) {
      const { rows } = await this.pool.query<{ body: Buffer | null; parts: number }>({
        name: 'placement-document-part',
        text: `SELECT (SELECT body FROM placement_document WHERE placement_id = $1 AND hash = $2 AND part = $3) AS body,
                 (SELECT count(*)::integer FROM placement_document WHERE placement_id = $1 AND hash = $2) AS parts`,
        values: [placementId, hash, part],
      });
      const { body = null, parts = 0 } = rows[0] ?? {};
      if (body !== null) yield body;
      else if (parts > 0 && parts === part) return;
      else throw new Error('the document was replaced meanwhile');
    }
  }
}

async function* inParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < PART_BYTES) continue;
    yield Buffer.concat(waiting);
    [waiting, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(waiting);
}
