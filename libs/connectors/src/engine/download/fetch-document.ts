import type { OutboundPolicy, SourceConfig, SourceRequest } from '../../kit/contracts';
import { openInboxFile } from './inbox-file';
import type { Answer, OutboundSession } from './outbound-session';
import type { Conditions } from './redirects';
import { fetchRemoteFile } from './remote-file';

/**
 * Fetches one document: over http(s), from the inbox for `file:` addresses, or from a server for `ftp:`, `ftps:` and
 * `sftp:` ones. Its bytes live until the session ends.
 *
 * @throws FeedError
 */
export async function fetchDocument(
  request: SourceRequest,
  source: SourceConfig,
  conditions: Conditions,
  session: OutboundSession,
  policy: OutboundPolicy,
  signal: AbortSignal,
): Promise<Answer> {
  if (/^(ftps?|sftp):/i.test(request.url)) {
    return await session.transfer(request.url, (transfer) =>
      fetchRemoteFile(request.url, source, conditions.etag, policy, transfer),
    );
  }
  if (!/^file:/i.test(request.url)) return await session.ask(request, conditions);
  const answer = await openInboxFile(request.url, policy, conditions.etag, signal);
  if (answer.kind === 'not-modified') return answer;
  session.keep(answer.spool);
  return { kind: 'document', spool: answer.spool, etag: answer.etag, lastModified: undefined };
}
