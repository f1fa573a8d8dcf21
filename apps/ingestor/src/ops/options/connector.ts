import type { Connector } from '@passerelle/connectors';
import { WrongUse } from '../failures';
import { assertSlug, type Session } from '../session';

/** @throws WrongUse listing the connectors that there are. */
export async function findConnector(session: Session, crm: string): Promise<Connector> {
  assertSlug('--crm', crm);
  const connectors = await session.connectors();
  const connector = connectors.find(({ code }) => code === crm);
  if (connector !== undefined) return connector;
  throw new WrongUse(`--crm "${crm}" is no connector; there are: ${connectors.map(({ code }) => code).join(', ')}`);
}
