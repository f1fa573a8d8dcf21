import { isUrl } from '@passerelle/domain';

const HERE = 'http://console.invalid';

/** The page after the sign-in: a path of the console. Others, such as `//host` or `/\host`, become the first page. */
export function returnPath(wanted: string | undefined): string {
  if (wanted === undefined || !isUrl(wanted, HERE)) return '/';
  const { origin, pathname, search } = new URL(wanted, HERE);
  const isElsewhere = origin !== HERE || !wanted.startsWith('/') || pathname.startsWith('//');
  return isElsewhere || pathname.startsWith('/sign-') ? '/' : pathname + search;
}
