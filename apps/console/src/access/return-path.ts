import { isUrl } from '@passerelle/domain';

const HERE = 'http://console.invalid';

/**
 * Where a browser goes on after it signed in: a path of the console. Whatever leads elsewhere, as `//host`, `/\host` or a whole
 * address do, is the first page.
 */
export function returnPath(wanted: string | undefined): string {
  if (wanted === undefined || !isUrl(wanted, HERE)) return '/';
  const { origin, pathname, search } = new URL(wanted, HERE);
  const isElsewhere = origin !== HERE || !wanted.startsWith('/') || pathname.startsWith('//');
  return isElsewhere || pathname.startsWith('/sign-') ? '/' : pathname + search;
}
