import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type OutboundPosts, PostFailed } from './outbound-posts';

/** Larger photos are not saved. */
const MOST_PHOTO_BYTES = 30 * 1024 * 1024;

/** Saves a photo of a public address as a file. @returns false when it cannot be read. @throws the signal's reason */
export async function savePhoto(
  posts: OutboundPosts,
  url: string,
  path: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await pipeline(posts.read(url, MOST_PHOTO_BYTES, signal), createWriteStream(path));
    return true;
  } catch (error) {
    if (error instanceof PostFailed) return false;
    throw error;
  }
}
