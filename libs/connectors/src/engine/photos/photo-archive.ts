import { AccessRefused, BadFeed } from '@passerelle/domain';
import type { ArchiveFiles } from '../contracts';
import { openInboxFile } from '../fetch/inbox-file';
import type { FeedPass } from '../feed-pass';
import { archiveFiles } from '../cut/open/archive-files';
import { zipEntries } from '../cut/open/zip-archive';

/** The inbox archive that the setting `photos` names, at one moment. */
export interface PhotoArchive {
  /** Changes with the archive's bytes; '' while there is no archive. */
  etag: string;
  /** Combines the feed's own files with the files of this archive; the feed's own files take precedence. */
  besides(own: ArchiveFiles): ArchiveFiles;
}

/**
 * Undefined when the photos have no separate archive. While that archive does not exist, photos stay unchanged.
 * @throws AccessRefused; RetryLater while it is being written; BadFeed when it is not an archive.
 */
export async function openPhotoArchive({ connector, request, session }: FeedPass): Promise<PhotoArchive | undefined> {
  const { source, outbound, signal, work } = request;
  const url = source.settings['photos'];
  if (url === undefined || connector.open.container === 'plain') return undefined;
  if (!/^file:/i.test(url))
    throw new AccessRefused('the setting "photos" must name a file of the inbox: file:NAME.zip');
  const answer = await openInboxFile(url, outbound, {}, signal, () => work?.enter()).catch((error: unknown) => {
    if (error instanceof BadFeed) return undefined;
    throw error;
  });
  if (answer?.kind !== 'file') return { etag: '', besides: (own) => own };
  session.keep(answer.spool);
  const others = archiveFiles(await zipEntries(answer.spool, outbound.maxBytes), false);
  return {
    etag: answer.etag,
    besides: (own) => ({
      isComplete: own.isComplete,
      names: new Set([...own.names, ...others.names]),
      find: (name, folder) => own.find(name, folder) ?? others.find(name, folder),
    }),
  };
}
