import type { Rejection, RejectionCode } from '@passerelle/domain';

/** A rejection as the operators' tools print it. */
export interface RejectionView {
  position: number;
  id: string | null;
  field: string | null;
  reason: RejectionCode;
  message: string;
  excerpt: string | null;
}

export function toRejectionView(
  rejection: Pick<Rejection, 'position' | 'code' | 'message'> & {
    recordId?: string | null;
    field?: string | null;
    excerpt?: string | null;
  },
): RejectionView {
  const { position, recordId, field, code, message, excerpt } = rejection;
  return {
    position,
    id: recordId ?? null,
    field: field ?? null,
    reason: code,
    message,
    excerpt: excerpt ?? null,
  };
}
