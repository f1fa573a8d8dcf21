import { AccessRefused, BadFeed, isUrl, trimEndOf } from '@passerelle/domain';
import type { XmlRecord } from '../../formats/xml-records';
import { parseXmlAnswer, rootElementOf } from '../../formats/xml-answer';
import { toInteger } from '../../kit/clean/number';
import type { PagedFetch, SourceClient, SourceConfig } from '../../kit/contracts';
import { basicAuthorization, credential } from '../../kit/http-access';
import type { Exchanged } from '../../kit/source-client';
import { listOf, textOf } from '../../kit/values';

export const HOST = 'webservices.vebra.com';
const USUAL_VERSION = 12;
/** A token is valid for an hour; the API issues no other until then. The walk uses it until the API refuses it. */
const TOKEN_LIFETIME_MS = 60 * 60_000;

interface Access {
  /** The address, including the data feed and the version. */
  base: string;
  user: string;
  password: string;
}

/** One list of summaries per branch, and one request per listing whose summary has changed. */
export const ALTO_WALK: PagedFetch = {
  kind: 'pages',
  async prepare(source, client) {
    const { base, user, password } = accessOf(source);
    const token = await client.exchanged([base, user, password], () => exchange(client, { base, user, password }));
    const headers = { authorization: `Basic ${Buffer.from(token).toString('base64')}` };
    const { body } = await client.get({ url: `${base}/branch`, headers });
    const all = listOf(parseXmlAnswer(body, 'branches', ['branch'])['branch']) as XmlRecord[];
    const wanted = new Set((source.settings['branches'] ?? '').split(/[\s,;]+/).filter((one) => one !== ''));
    const read = all.filter((branch) => wanted.size === 0 || numbersOf(branch).some((number) => wanted.has(number)));
    if (read.length === 0) throw new BadFeed('the data feed has none of the branches');
    const names = Object.fromEntries(
      read.flatMap((branch) => numbersOf(branch).map((number) => [number, textOf(branch['name'])])),
    );
    return {
      walks: read.map((branch) => ({ url: `${onOrigin(base, branch['url'])}/property`, headers })),
      feed: { branches: names },
    };
  },
  whenRefused:
    'Alto does not know the user, or another program holds the token of the data feed, which is valid for up to an hour',
  next: () => undefined,
  details: {
    request: (summary, page) => ({ ...page, url: onOrigin(page.url, (summary as XmlRecord)['url']) }),
    idOf: (summary) => textOf((summary as XmlRecord)['prop_id']),
    record(summary, answer) {
      const listing = rootElementOf(answer, 'property');
      const own = summary
        .toString('latin1')
        .replace(/^<property[^>]*>/, '')
        .replace(/<\/property\s*>$/, '');
      const end = listing.lastIndexOf('</property');
      if (end < 0) throw new BadFeed('the answer is an empty <property>');
      return Buffer.from(`${listing.slice(0, end)}<summary>${own}</summary></property>`, 'latin1');
    },
  },
};

/** The account of the request quota: the data feed. */
export function feedOf({ settings }: SourceConfig): string | undefined {
  return settings['feed'];
}

/** @throws AccessRefused */
function accessOf(source: SourceConfig): Access {
  const address = source.url.trim() === '' ? `https://${HOST}` : source.url;
  if (!isUrl(address)) throw new AccessRefused('the source URL is not an address');
  const feed = source.settings['feed']?.trim() ?? '';
  if (!/^[\w-]+$/.test(feed))
    throw new AccessRefused('the setting `feed` is missing, or is no identifier of a data feed');
  const version = toInteger(source.settings['version']) ?? USUAL_VERSION;
  const user = credential(source, ['user', 'username']) ?? '';
  const password = credential(source, ['password']) ?? '';
  if (user === '' || password === '') throw new AccessRefused('the credentials `user` and `password` are missing');
  return { base: `${new URL(address).origin}/export/${feed}/v${version}`, user, password };
}

/** The API returns the token in a header. @throws AccessRefused */
async function exchange(client: SourceClient, { base, user, password }: Access): Promise<Exchanged> {
  const { headers } = await client.get({ url: `${base}/branch`, headers: basicAuthorization(user, password) });
  const { token } = headers;
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token.trim())) throw new AccessRefused('Alto gave no token');
  return { value: token.trim(), lifetimeMs: TOKEN_LIFETIME_MS, renewBeforeMs: 0 };
}

/** The numbers by which an operator or a listing may name a branch. */
function numbersOf({ branchid, url }: XmlRecord): string[] {
  const last = /\/branch\/(\d+)\/?$/.exec(textOf(url) ?? '')?.[1];
  return [textOf(branchid), last].filter((number) => number !== undefined);
}

/**
 * Moves a link to the gateway's host. Links use another scheme, and might name another host, which must not receive the
 * token.
 */
function onOrigin(own: string, link: unknown): string {
  const address = textOf(link);
  if (address === undefined || !isUrl(address)) throw new BadFeed('a branch or a property has no address');
  const { pathname } = new URL(address);
  if (!pathname.startsWith('/export/')) throw new BadFeed('an address leads out of the export');
  return `${new URL(own).origin}${trimEndOf(pathname, '/')}`;
}
