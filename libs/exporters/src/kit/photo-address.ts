import type { Photo } from '@passerelle/domain';

/** Names of parameters of signed addresses. A further parameter would make the signature invalid. */
const SIGNED = /[?&](?:x-amz-|x-goog-|signature=|sig=|token=|__token__=|hmac=|hdn|key-pair-id=|policy=|expires=)/i;
const PARAMETER = 'v';

/**
 * The address of a photo with its `empreinte`: portals know a photo by its address, so the address changes when and
 * only when the photo does. A signed address stays as it is.
 */
export function photoAddress({ url, empreinte }: Pick<Photo, 'url' | 'empreinte'>): string {
  if (empreinte === '' || SIGNED.test(url)) return url;
  const hashAt = url.indexOf('#');
  const [address, hash] = hashAt === -1 ? [url, ''] : [url.slice(0, hashAt), url.slice(hashAt)];
  return `${address}${address.includes('?') ? '&' : '?'}${PARAMETER}=${empreinte}${hash}`;
}

const EXTENSION = /\.(jpe?g|png|gif|webp|bmp)$/i;

/** The ending of a photo's file name, in lower case with its dot: `.jpg` where the address names none. */
export function photoExtension(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  return EXTENSION.exec(path)?.[0].toLowerCase().replace('.jpeg', '.jpg') ?? '.jpg';
}
