import type { Rejection } from '@passerelle/domain';
import { type Mapped, RecordError } from '../../kit/contracts';
import type { RecordOutcome } from '../contracts';

const MAX_EXCERPT_LENGTH = 200;

/** The outcome of a record that says that its listing must not be shown. */
export function withdrawn(
  { affId, scope = '', message }: Extract<Mapped, { kind: 'withdrawn' }>,
  position: number,
): Extract<RecordOutcome, { kind: 'withdrawn' }> {
  const rejection: Rejection = { position, recordId: affId, code: 'withdrawn', message };
  return { kind: 'withdrawn', position, affId, scope, rejection };
}

/**
 * The outcome of a record that could not be read. @param raw its raw form, or undefined when reading failed earlier.
 */
export function rejectedFor(
  error: unknown,
  position: number,
  raw: Record<string, unknown> | undefined,
  slice: { line: number; bytes: Buffer },
): Extract<RecordOutcome, { kind: 'rejected' }> {
  return { kind: 'rejected', position, rejection: rejectionOf(error, position, excerptOf(error, raw, slice)) };
}

function rejectionOf(error: unknown, position: number, excerpt: string): Rejection {
  if (!(error instanceof RecordError)) {
    // The message of an unexpected error may quote the record: show its class only.
    const kind = error instanceof Error ? error.name : 'error';
    return { position, code: 'malformed', message: `the record could not be read (${kind})`, excerpt };
  }
  const { code, message, field, recordId } = error;
  return {
    position,
    ...(recordId === undefined ? {} : { recordId }),
    code,
    message,
    ...(field === undefined ? {} : { field }),
    excerpt,
  };
}

/** An excerpt without private data: from the raw form, or else the record's position in the feed. */
function excerptOf(
  error: unknown,
  raw: Record<string, unknown> | undefined,
  slice: { line: number; bytes: Buffer },
): string {
  if (raw === undefined) return positionInFeed(slice);
  const field = error instanceof RecordError ? error.field : undefined;
  const shown = field !== undefined && raw[field] !== undefined ? { [field]: raw[field] } : raw;
  return JSON.stringify(shown).slice(0, MAX_EXCERPT_LENGTH);
}

export function positionInFeed({ line, bytes }: { line: number; bytes: Uint8Array }): string {
  return `line ${line}, ${bytes.length} bytes`;
}
