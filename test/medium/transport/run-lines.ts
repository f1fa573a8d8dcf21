import type { FeedRequest, FeedSummary, OutboundPolicy } from '../../../libs/connectors/src/engine/contracts';
import { openFeed } from '../../../libs/connectors/src/engine/read-feed';
import { aLineConnector } from '../../support/connectors/fake-connectors';

/** Runs a feed of lines like `id;town`. @returns the ids of the listings, and the summary */
export async function runLines(
  url: string,
  policy: Partial<OutboundPolicy>,
  request: Partial<Omit<FeedRequest, 'source'>> = {},
  source: Partial<FeedRequest['source']> = {},
): Promise<{ ids: string[]; summary: FeedSummary }> {
  const reading = openFeed(aLineConnector(), {
    source: { url, credentials: {}, settings: {}, ...source },
    previous: {},
    isKnown: () => false,
    outbound: {
      ...{ allowPrivate: new Set(), inboxDir: '/nowhere' },
      ...{ maxBytes: 50_000_000, settleMs: 20, timeoutMs: 30_000, idleTimeoutMs: 20_000 },
      ...policy,
    },
    signal: new AbortController().signal,
    ...request,
  });
  const ids: string[] = [];
  for await (const outcome of reading.outcomes) if (outcome.kind === 'listing') ids.push(outcome.affId);
  return { ids, summary: reading.summary() };
}
