import type { Html } from '@passerelle/html';
import { list } from './pages/list';
import { listingPage } from './pages/listing';
import { HOME, page, type PageOptions, problem, STYLE_PATH } from './pages/page';
import type { PhotoPlaces } from './pages/photo';
import { ApiFailure, type DemoGateway, type Facets, type Found, type ReadApi } from './read-api';
import { STYLE } from './style';
import { titleOf } from './labels';

export interface SiteOptions {
  gateways: readonly DemoGateway[];
  api: ReadApi;
  places: PhotoPlaces;
  /** The address of the API for browsers. */
  docsUrl: string;
  consoleUrl: string;
}

const PER_PAGE = '24';
const CHOICES = ['typeTransaction', 'typeCode', 'ville'];
const NOTHING_FOUND: Found = { data: [], meta: { total: 0, page: 1, total_pages: 1 } };

/** An answer. */
export interface SiteAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

type Content = Pick<PageOptions, 'title' | 'current'> & { status: number; body: Html };

export class Site {
  private readonly headers: Readonly<Record<string, string>>;

  constructor(private readonly options: SiteOptions) {
    this.headers = {
      'content-security-policy': policyOf(options.places),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    };
  }

  /** Never throws: errors become a page. @param url path and query */
  async answer(url: URL): Promise<SiteAnswer> {
    if (url.pathname === '/') return { status: 302, headers: { ...this.headers, location: HOME }, body: '' };
    if (url.pathname === STYLE_PATH) return this.send(200, 'text/css; charset=utf-8', STYLE);
    const { status, ...content } = await this.contentOf(url).catch(explain);
    return this.send(status, 'text/html; charset=utf-8', page({ ...this.options, ...content }));
  }

  private async contentOf({ pathname, searchParams }: URL): Promise<Content> {
    const { gateways, api, places } = this.options;
    const [, root, crm = '', id = '', ...more] = pathname.split('/').map(decoded);
    // The first page is the list of the first gateway.
    const current = gateways.find((gateway) => crm === '' || gateway.crm === crm);
    if (`/${root ?? ''}` !== HOME || current === undefined || more.length > 0) {
      throw new ApiFailure(404, 'There is no such page.');
    }
    if (id === '') {
      const body = await this.listOf(current, searchParams);
      return { status: 200, title: `Annonces ${current.crm}`, current, body };
    }
    const [listing, feed] = await Promise.all([api.listing(current, id), api.feed(current)]);
    const body = listingPage(listing, current, feed, places);
    return { status: 200, title: titleOf(listing), current, body };
  }

  private async listOf(gateway: DemoGateway, asked: URLSearchParams): Promise<Html> {
    const { api, places } = this.options;
    const query = new URLSearchParams([...asked].filter(([, value]) => value.trim() !== ''));
    const feed = await api.feed(gateway);
    // Before the first publication there is nothing to search.
    const [found, { facets = {} }]: [Found, { facets?: Facets }] =
      feed.snapshot === null
        ? [NOTHING_FOUND, {}]
        : await Promise.all([
            api.search(gateway, searchOf(query)),
            api.search(gateway, { per_page: '1', facets: CHOICES.join(',') }),
          ]);
    return list({ gateway, feed, found, facets, query, places });
  }

  private send(status: number, type: string, body: string): SiteAnswer {
    return { status, headers: { ...this.headers, 'content-type': type }, body };
  }
}

/** The content security policy: allows the site's own style and forms, and photos from their sources, but no script. */
function policyOf({ media, elsewhere }: PhotoPlaces): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    `img-src ${[media, ...elsewhere].join(' ')}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** An unknown identifier or a refused filter comes from the visitor, any other error from the API. */
function explain(error: unknown): Content {
  const { status, message } = error instanceof ApiFailure ? error : { status: 0, message: 'The page cannot be made.' };
  if (status === 404) return { status, title: 'Page introuvable', body: problem('Page introuvable', message) };
  if (status === 400) return { status, title: 'Filtre invalide', body: problem('Filtre invalide', message) };
  return { status: 502, title: 'L’API ne répond pas', body: problem('L’API ne répond pas comme prévu', message) };
}

/** The parameters of `GET /v1/search`. The budget is a monthly rent if rentals are searched, otherwise a price. */
function searchOf(query: URLSearchParams): Record<string, string> {
  const names = ['page', ...CHOICES].filter((name) => query.has(name));
  // Encode commas, because the API uses them to separate towns.
  const search = Object.fromEntries(names.map((name) => [name, (query.get(name) ?? '').replaceAll(',', '%2C')]));
  const budget = query.get('budget')?.replace(/[\s€]/g, '');
  const limit = query.get('typeTransaction')?.startsWith('location') === true ? 'loyerMax' : 'prixMax';
  return { ...search, per_page: PER_PAGE, ...(budget !== undefined && { [limit]: budget }) };
}

/** Decodes a part of a path. Invalid percent-encoding stays unchanged, and then matches nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
