import type { DocumentFetch, SourceRequest } from '../kit/contracts';
import type { FeedMemory } from './contracts';
import { openInboxFile } from './fetch/inbox-file';
import type { Answer } from './fetch/http/outbound-session';
import { fetchRemoteFile } from './fetch/stores/remote-file';
import { checkDeclared, type FeedPass, type OutcomeGroups, mapDocument } from './feed-pass';
import { findPhotoSeries } from './photos/find-photo-series';
import { ForeignDocument } from './cut/xml-prolog';
import { openDocuments } from './cut/open/open-documents';
import { openPhotoArchive } from './photos/photo-archive';
import { directoryIntake, PhotoFiles } from './photos/photo-files';

export interface DocumentState {
  notModified: boolean;
  memory: FeedMemory;
}

/**
 * Reads a document and maps its records, unless it is unchanged. @param state is filled in as soon as the document is
 * fetched @throws FeedError
 */
export async function* readDocument(pass: FeedPass, fetch: DocumentFetch, state: DocumentState): OutcomeGroups {
  const { connector, mappingKey } = pass;
  const { source, outbound } = pass.request;
  // With another mapping key the same record gives another listing, so the previous memory is not valid.
  const known = pass.request.previous.mappingKey === mappingKey ? pass.request.previous : {};
  const photoArchive = await openPhotoArchive(pass);
  // If the photo archive has changed, an unchanged document is read again too.
  const previous = photoArchive === undefined || photoArchive.etag === known.photosEtag ? known : {};
  // The previous size helps to judge whether a file is complete, even when its records are mapped again.
  const { sizeBytes } = pass.request.previous;
  const answer = await fetchDocument(
    pass,
    fetch.request(source),
    { ...previous, ...(sizeBytes !== undefined && { sizeBytes }) },
    (bytes) => {
      // A document of the same size may be unchanged.
      if (previous.fingerprint === undefined || bytes !== sizeBytes) pass.request.expectRecords?.();
    },
  );
  if (answer.kind === 'not-modified') {
    state.notModified = true;
    state.memory = previous;
    return;
  }
  const { spool, etag, lastModified } = answer;
  state.memory = {
    mappingKey,
    fingerprint: spool.fingerprint,
    sizeBytes: spool.sizeBytes,
    ...(etag !== undefined && { etag }),
    ...(photoArchive !== undefined && { photosEtag: photoArchive.etag }),
    ...(lastModified !== undefined && { lastModified }),
  };
  if (previous.fingerprint === spool.fingerprint) {
    state.notModified = true;
    return;
  }
  await pass.request.work?.enter();
  const {
    documents,
    sidecars,
    files: own,
  } = await openDocuments(spool, connector.open, outbound.maxBytes, (chunks) => pass.session.spoolEntry(chunks));
  const files = photoArchive?.besides(own) ?? own;
  pass.files = files;
  for (const [name, text] of Object.entries(sidecars)) pass.reader.setContext(name, text);
  const { settings } = source;
  const series = await findPhotoSeries({ connector, documents, files, settings, signal: pass.request.signal });
  let foreign: ForeignDocument | undefined;
  let isRead = false;
  for (const document of documents) {
    let declared: number | undefined;
    const recordsBefore = pass.records - pass.furtherOffers;
    if (connector.open.container !== 'plain') {
      const folder = document.name.slice(0, document.name.lastIndexOf('/') + 1);
      pass.reader.photoFiles = new PhotoFiles(
        pass.request.photos ?? directoryIntake,
        files,
        folder,
        series,
        pass.copies.fetch,
      );
    }
    try {
      yield* mapDocument(pass, document, { isPage: false, onDeclared: (count) => (declared = count) });
      isRead = true;
    } catch (error) {
      if (!(error instanceof ForeignDocument) || connector.open.passesOverForeign !== true) throw error;
      foreign ??= error;
      pass.warnings.note('implausible_value', document.name.split('/').at(-1) ?? '', error.message);
      pass.warnings.settle(undefined);
    }
    checkDeclared(pass, declared, pass.records - pass.furtherOffers - recordsBefore);
  }
  if (foreign !== undefined && !isRead) throw foreign;
}

/** The fetched bytes live until the session ends. @throws FeedError */
async function fetchDocument(
  { session, request: { source, outbound, signal, work } }: FeedPass,
  request: SourceRequest,
  previous: FeedMemory,
  onSize: (bytes: number) => void,
): Promise<Answer> {
  if (/^(ftps?|sftp):/i.test(request.url)) {
    return await session.transfer(request.url, (transfer) =>
      fetchRemoteFile(request.url, source, previous, outbound, transfer),
    );
  }
  if (!/^file:/i.test(request.url)) return await session.request(request, previous, onSize);
  // Takes the slot once the file is complete: a wait for a file that is still being written must not hold a slot.
  const answer = await openInboxFile(request.url, outbound, previous, signal, async (bytes) => {
    await work?.enter();
    onSize(bytes);
  });
  if (answer.kind === 'not-modified') return answer;
  session.keep(answer.spool);
  return { kind: 'document', spool: answer.spool, etag: answer.etag, lastModified: undefined };
}
