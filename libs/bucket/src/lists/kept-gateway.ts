import type { ConnectorRecord, SecretBox } from '@passerelle/domain';
import type { Bucket } from '../store/bucket';
import { gatewayObject } from './names';
import { BucketLies } from './read-hashed';

/** A snapshot whose pages are in the bucket. Times in ms since 1970, by the database's clock. */
export interface KeptList {
  id: number;
  token: string;
  total: number;
  publishedAtMs: number;
  confirmedAtMs: number | null;
  /** The hash of its index. */
  index: string;
}

/** An API key as it is stored: its hash, and what it opens. */
export interface KeptKey {
  id: number;
  /** Hexadecimal. */
  hash: string;
  keyId: string | null;
  scope: string;
  networks: string[] | null;
  expiresAtMs: number | null;
}

/** What a reader is answered by while the database does not answer: the gateway, its keys, and where its lists are. */
export interface KeptGateway {
  /** Grows with each that is written of this gateway: ms since 1970 by the database's clock, before the rest of it was read. */
  generation: number;
  id: number;
  crm: string;
  client: string;
  enabled: boolean;
  /** `YYYY-MM-DD`. */
  contractEnd: string | null;
  keys: KeptKey[];
  connector: ConnectorRecord | null;
  /** When the source last confirmed the current list. */
  confirmedAtMs: number | null;
  /** The id of the current snapshot; null until something was published. */
  current: number | null;
  /** Those that can be read, oldest first. */
  lists: KeptList[];
  /** The one that is about to be published: it counts for who has seen it published. */
  next: { id: number; index: string } | null;
}

/** Tells what was sealed for this from what the same secret has sealed elsewhere. */
const KIND = 'gateway of lists';

/** Sealed and signed at once (AES-256-GCM): nobody else can read it, or make one. */
export function sealKept(gateway: KeptGateway, box: SecretBox): Buffer {
  return box.seal(JSON.stringify({ kind: KIND, gateway }));
}

/**
 * Reads what the bucket says of a gateway. Null when it says nothing.
 *
 * @throws BucketLies when somebody else wrote it, or wrote it for another gateway
 */
export async function readGateway(
  bucket: Bucket,
  box: SecretBox,
  { crm, client }: { crm: string; client: string },
): Promise<KeptGateway | null> {
  const sealed = await bucket.readWhole(gatewayObject(crm, client));
  if (sealed === null) return null;
  const { kind, gateway } = opened(box, sealed);
  if (kind !== KIND || gateway.crm !== crm || gateway.client !== client)
    throw new BucketLies(`what the bucket says of the gateway ${crm}/${client} was written for another one`);
  return gateway;
}

function opened(box: SecretBox, sealed: Buffer): { kind: string; gateway: KeptGateway } {
  try {
    return JSON.parse(box.open(sealed)) as { kind: string; gateway: KeptGateway };
  } catch {
    throw new BucketLies('what the bucket says of a gateway was not sealed with SECRETS_KEY');
  }
}
