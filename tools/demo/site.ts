import { readFilters } from './filters';
import type { Html } from '@passerelle/html';
import { home } from './pages/home';
import { list } from './pages/list';
import { listingPage } from './pages/listing';
import { HOME, page, problem, STYLE_PATH } from './pages/page';
import type { PhotoPlaces } from './pages/photo';
import { ApiFailure, type ReadApi, type DemoGateway } from './read-api';
import { STYLE } from './style';
import { titleOf } from './labels';

export interface SiteOptions {
  gateways: readonly DemoGateway[];
  api: ReadApi;
  places: PhotoPlaces;
  /** The address of the API for browsers. */
  docsUrl: string;
}

/** An answer. */
export interface SiteAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

interface Content {
  status: number;
  title: string;
  current?: DemoGateway;
  body: Html;
}

/** The pages of the demo, by their path. */
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

  /** Never throws: what cannot be shown is a page that says so. @param url path and query */
  async answer(url: URL): Promise<SiteAnswer> {
    if (url.pathname === '/') return { status: 302, headers: { ...this.headers, location: HOME }, body: '' };
    if (url.pathname === STYLE_PATH) return this.send(200, 'text/css; charset=utf-8', STYLE);
    const { gateways, docsUrl } = this.options;
    const { status, ...content } = await this.contentOf(url).catch(explain);
    return this.send(status, 'text/html; charset=utf-8', page({ gateways, docsUrl, ...content }));
  }

  private async contentOf({ pathname, searchParams }: URL): Promise<Content> {
    const { gateways, api, places } = this.options;
    if (pathname === HOME || pathname === `${HOME}/`) {
      const portfolios = await Promise.all(gateways.map((gateway) => api.portfolio(gateway)));
      return { status: 200, title: 'Trois portefeuilles', body: home(portfolios, places) };
    }
    const [, root, crm, id, ...more] = pathname.split('/').map(decoded);
    const current = gateways.find((gateway) => gateway.crm === crm);
    if (`/${root ?? ''}` !== HOME || current === undefined || more.length > 0) return nothingHere();
    if (id === undefined || id === '') {
      const [filters, asked] = [readFilters(searchParams), Number(searchParams.get('page') ?? 1)];
      const body = list(await api.portfolio(current), { filters, page: Number.isInteger(asked) ? asked : 1, places });
      return { status: 200, title: `Annonces ${current.crm}`, current, body };
    }
    const [listing, feed] = await Promise.all([api.listing(current, id), api.feed(current)]);
    if (listing === null) return { ...nothingHere(), current };
    return {
      status: 200,
      title: titleOf(listing),
      current,
      body: listingPage(listing, { gateway: current, feed, places }),
    };
  }

  private send(status: number, type: string, body: string): SiteAnswer {
    return { status, headers: { ...this.headers, 'content-type': type }, body };
  }
}

/** Own style and own forms, photos from where they are, and nothing else: no script at all. */
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

function nothingHere(): Content {
  return {
    status: 404,
    title: 'Page introuvable',
    body: problem('Page introuvable', 'There is no such page, or the listing is no longer in the list.'),
  };
}

function explain(error: unknown): Content {
  const text = error instanceof ApiFailure ? error.message : 'The page cannot be made.';
  return { status: 502, title: 'L’API ne répond pas', body: problem('L’API ne répond pas comme prévu', text) };
}

/** Part of a path; one that is no percent-encoding stays as it is, and is found nowhere. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
