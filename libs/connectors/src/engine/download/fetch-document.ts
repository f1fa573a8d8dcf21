import type { OutboundPolicy, SourceRequest } from '../../kit/contracts';
import { openInboxFile } from './inbox-file';
import type { Answer, Conditions, OutboundSession } from './outbound-session';

/**
 * Fetches one document: over http(s), or from the inbox for `file:` addresses. Its bytes live until the session ends.
 *
 * @throws FeedError
 */
export async function fetchDocument(
  request: SourceRequest,
  conditions: Conditions,
  session: OutboundSession,
  policy: OutboundPolicy,
  signal: AbortSignal,
): Promise<Answer> {
  if (!/^file:/i.test(request.url)) return await session.ask(request, conditions);
  const answer = await openInboxFile(request.url, policy.inboxDir, policy.maxBytes, conditions.etag, signal);
  if (answer.kind === 'not-modified') return answer;
  session.keep(answer.spool);
  return { kind: 'document', spool: answer.spool, etag: answer.etag, lastModified: undefined };
}
