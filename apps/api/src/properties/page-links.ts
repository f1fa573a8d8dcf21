import type { PageQuery } from './parameters';
import type { ServedSnapshot } from './served-snapshots';

/** Relative links to neighbouring pages of the snapshot (RFC 8288): a proxy may use another name for the service. */
export function pageLinks(
  { token, total }: Pick<ServedSnapshot, 'token' | 'total'>,
  { crm, client, page, per_page, format }: Pick<PageQuery, 'crm' | 'client' | 'page' | 'per_page' | 'format'>,
  {
    path = '/v1/properties',
    linkParameters = {},
  }: { path?: string; linkParameters?: Readonly<Record<string, string>> } = {},
): string {
  const last = Math.max(1, Math.ceil(total / per_page));
  const pages = { first: 1, prev: Math.min(page - 1, last), next: page + 1, last };
  return Object.entries(pages)
    .filter(([, to]) => to >= 1 && to <= last)
    .map(([relation, to]) => {
      const query = new URLSearchParams({
        crm,
        client,
        page: String(to),
        per_page: String(per_page),
        format,
        snapshot: token,
        ...linkParameters,
      });
      return `<${path}?${query.toString()}>; rel="${relation}"`;
    })
    .join(', ');
}
