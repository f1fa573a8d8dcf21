import Negotiator from 'negotiator';

/** Whether an `Accept` header names WebP. A client that takes anything may still not show it: it gets JPEG. */
export function acceptsWebp(accept: string | undefined): boolean {
  return new Negotiator({ headers: { accept: accept?.toLowerCase() } }).mediaTypes().includes('image/webp');
}
