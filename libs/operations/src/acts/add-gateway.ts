import type { Database, NewGateway } from '@passerelle/database';
import {
  ALL_TERMS,
  type KeyHashes,
  type KeyTerms,
  type SecretBox,
  sealCredentials,
  storeSource,
  visiblePrefix,
} from '@passerelle/domain';
import type { Actor } from './gateways';

export interface GatewayWish {
  crm: string;
  client: string;
  source: string;
  credentials: Record<string, string>;
  settings: Record<string, string>;
  /** If null, the ingestor's default applies. */
  everySeconds: number | null;
  /** `YYYY-MM-DD`. */
  contractEnd: string | null;
}

export function sealGateway({ source, settings, credentials, ...gateway }: GatewayWish, box: SecretBox): NewGateway {
  const sealed = storeSource({ url: source, settings }, box);
  return { ...gateway, ...sealed, credentials: sealCredentials(credentials, box) };
}

/** @param key stored only as a hash; the caller shows it once. @throws GatewayExists */
export async function addGateway(
  { gateways }: Pick<Database, 'gateways'>,
  { name, through }: Actor,
  gateway: NewGateway,
  { key, terms = ALL_TERMS, hashes }: { key: string; terms?: KeyTerms; hashes: Pick<KeyHashes, 'make'> },
): Promise<void> {
  const { crm, client, sourceUrl, everySeconds, contractEnd } = gateway;
  const after = { source: sourceUrl, every_seconds: everySeconds, contract_end: contractEnd };
  await gateways.add(gateway, { ...hashes.make(key), ...terms, prefix: visiblePrefix(key) }, [
    { who: name, through, act: 'gateway add', crm, client, after },
  ]);
}
