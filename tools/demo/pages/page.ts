import { type Html, html, type Content } from '@passerelle/html';
import { counted, SOFTWARE_WORDS } from '../labels';
import type { DemoGateway, GatewayList } from '../read-api';

export const HOME = '/demo';
export const STYLE_PATH = '/demo/style.css';

/** Where the list of a gateway is. */
export function listPath({ crm }: DemoGateway): string {
  return `${HOME}/${encodeURIComponent(crm)}`;
}

/** Where one listing is. */
export function listingPath(gateway: DemoGateway, affId: string): string {
  return `${listPath(gateway)}/${encodeURIComponent(affId)}`;
}

export interface PageOptions {
  title: string;
  gateways: readonly DemoGateway[];
  /** The gateway whose page it is. */
  current?: DemoGateway;
  /** For people who go on to the API. */
  docsUrl: string;
  body: Content;
}

/** A whole page. */
export function page({ title, gateways, current, docsUrl, body }: PageOptions): string {
  return `<!doctype html>\n${html`<html lang="fr">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <title>${title} · Passerelle</title>
      <link rel="stylesheet" href="${STYLE_PATH}" />
    </head>
    <body>
      <a class="skip" href="#contenu">Aller au contenu</a>
      <header class="top">
        <div class="wide">
          <a class="brand" href="${HOME}">Passerelle <span>démo</span></a>
          <nav aria-label="Portefeuilles">
            ${gateways.map(
              (gateway) =>
                html`<a href="${listPath(gateway)}" ${gateway === current ? html` aria-current="page"` : null}
                  >${gateway.crm}</a
                >`,
            )}
          </nav>
        </div>
      </header>
      <main id="contenu" class="wide">${body}</main>
      <footer>
        <div class="wide">
          <p>
            Agences, lieux et annonces sont inventés. Ces pages sont faites avec l’API de lecture, comme le site d’une
            agence.
          </p>
          <p><a href="${docsUrl}">Documentation de l’API</a></p>
        </div>
      </footer>
    </body>
  </html>`.toString()}\n`;
}

/** The agency behind a portfolio, as its listings name it. */
export function agencyOf({ gateway, listings }: GatewayList): string {
  return listings.find(({ agenceNom }) => agenceNom !== undefined)?.agenceNom ?? `${gateway.crm}/${gateway.client}`;
}

/** The line below the agency's name. */
export function aboutPortfolio({ gateway, listings }: GatewayList): Html {
  return html`<p class="about">
    ${SOFTWARE_WORDS[gateway.crm] ?? gateway.crm} · ${counted(listings.length, 'annonce')}
  </p>`;
}

/** A page that says what is wrong. */
export function problem(title: string, explanation: string): Html {
  return html`<section class="problem">
    <h1>${title}</h1>
    <p lang="en">${explanation}</p>
    <p><a class="button" href="${HOME}">Retour à l’accueil</a></p>
  </section>`;
}
