import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { RememberedAnswers, SourceMemory } from '@passerelle/connectors';
import { type Gateway, SourceMemories } from '@passerelle/database';
import type { SecretBox } from '@passerelle/domain';
import { SECRET_BOX } from '../tokens';

/** How long a process may request a credential from a source before another process does. */
const EXCHANGE_MS = 120_000;
const POLL_MS = 200;
const RENEW_BEFORE_MS = 60_000;
/** How long a table of labels is used without a new request to the source. */
const FRESH_MS = 24 * 3600 * 1000;

/** Stored data about gateways' sources: encrypted, in the database, for every process. */
@Injectable()
export class GatewayMemories {
  constructor(
    private readonly memories: SourceMemories,
    @Inject(SECRET_BOX) private readonly box: SecretBox | null,
  ) {}

  /** Undefined without a key for encryption. */
  of({ id, crm }: Pick<Gateway, 'id' | 'crm'>): SourceMemory | undefined {
    const { box, memories } = this;
    if (box === null) return undefined;
    return {
      exchanged: (account, wanted) => this.exchanged(box, box.digest(JSON.stringify([crm, ...account])), wanted),
      findDetail: async (hash) => {
        const sealed = await memories.findDetail(id, Buffer.from(hash, 'hex'));
        return sealed === null ? undefined : opened(box, sealed);
      },
      keepDetail: (hash, record) =>
        memories.keepDetail(id, Buffer.from(hash, 'hex'), box.seal(record.toString('latin1'))),
      answers: this.answersOf(box, crm),
    };
  }

  private answersOf(box: SecretBox, crm: string): RememberedAnswers {
    const { memories } = this;
    const keyOf = (question: readonly string[]): Buffer => box.digest(JSON.stringify([crm, 'answer', ...question]));
    return {
      async find(question) {
        const found = await memories.findAnswer(keyOf(question), FRESH_MS);
        const opening = found === null ? undefined : opened(box, found.sealed)?.toString('latin1');
        if (found === null || opening === undefined) return undefined;
        const { etag, body } = JSON.parse(opening) as { etag?: string; body: string };
        return { body: Buffer.from(body, 'base64'), etag, isFresh: found.isFresh };
      },
      keep: (question, { body, etag }) =>
        memories.keepAnswer(keyOf(question), box.seal(JSON.stringify({ etag, body: body.toString('base64') }))),
      confirm: (question) => memories.confirmAnswer(keyOf(question)),
    };
  }

  async forget({ id }: Pick<Gateway, 'id'>): Promise<void> {
    await this.memories.forgetDetails(id);
  }

  private async exchanged(
    box: SecretBox,
    key: Buffer,
    { refused, signal, exchange }: Parameters<SourceMemory['exchanged']>[1],
  ): Promise<string> {
    const find = async (): Promise<string | undefined> => {
      const sealed = await this.memories.findCredential(key);
      const value = sealed === null ? undefined : opened(box, sealed)?.toString('latin1');
      return value === refused ? undefined : value;
    };
    for (;;) {
      signal.throwIfAborted();
      const known = await find();
      if (known !== undefined) return known;
      if (await this.memories.beginExchange(key, EXCHANGE_MS)) break;
      await sleep(POLL_MS, undefined, { signal });
    }
    try {
      // Another process may have ended its exchange a moment ago.
      const known = await find();
      if (known !== undefined) return known;
      const { value, lifetimeMs, renewBeforeMs = RENEW_BEFORE_MS } = await exchange();
      await this.memories.keepCredential(key, box.seal(value), Math.max(0, lifetimeMs - renewBeforeMs));
      return value;
    } finally {
      await this.memories.endExchange(key).catch(() => undefined);
    }
  }
}

/** The decrypted data; undefined if its key is gone, so that the data is requested again. */
function opened(box: SecretBox, sealed: Buffer): Buffer | undefined {
  try {
    return Buffer.from(box.open(sealed), 'latin1');
  } catch {
    return undefined;
  }
}
