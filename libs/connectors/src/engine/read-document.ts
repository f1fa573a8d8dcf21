import type { DocumentFetch, FeedMemory, RecordOutcome } from '../kit/contracts';
import { fetchDocument } from './download/fetch-document';
import { checkDeclared, readPart, type FeedPass, type PartNotes } from './feed-pass';
import { openParts } from './open/open-parts';

/** How the fetch of a document came out. */
export interface DocumentState {
  notModified: boolean;
  memory: FeedMemory;
}

/**
 * Reads a feed that is one document, unless it is the one that was read last time.
 *
 * @param state is filled in as soon as the document is fetched.
 * @throws FeedError
 */
export async function* readDocument(
  pass: FeedPass,
  fetch: DocumentFetch,
  state: DocumentState,
): AsyncGenerator<RecordOutcome, void, undefined> {
  const { connector, recipe, session } = pass;
  const { source, outbound, signal } = pass.request;
  // What was remembered under another recipe would bring back listings as they were mapped then.
  const previous = pass.request.previous.recipe === recipe ? pass.request.previous : {};
  const answer = await fetchDocument(fetch.request(source), source, previous, session, outbound, signal);
  if (answer.kind === 'not-modified') {
    state.notModified = true;
    state.memory = previous;
    return;
  }
  const { spool, etag, lastModified } = answer;
  state.memory = {
    recipe,
    fingerprint: spool.fingerprint,
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { lastModified }),
  };
  if (previous.fingerprint === spool.fingerprint) {
    state.notModified = true;
    return;
  }
  const { parts, sidecars } = await openParts(spool, connector.open, outbound.maxBytes);
  for (const [name, text] of Object.entries(sidecars)) pass.reader.setContext(name, text);
  for (const part of parts) {
    const notes: PartNotes = { declared: undefined, envelope: {} };
    const recordsBefore = pass.records;
    yield* readPart(pass, part, 'mapping', notes);
    checkDeclared(pass, notes.declared, pass.records - recordsBefore);
  }
}
