import { type Content, type Html, html } from '@passerelle/html';
import type { DemoGateway } from '../read-api';

export const HOME = '/demo';
export const STYLE_PATH = '/demo/style.css';

export function listPath({ crm }: DemoGateway): string {
  return `${HOME}/${encodeURIComponent(crm)}`;
}

/** The path of one listing. */
export function listingPath(gateway: DemoGateway, affId: string): string {
  return `${listPath(gateway)}/${encodeURIComponent(affId)}`;
}

export interface PageOptions {
  title: string;
  gateways: readonly DemoGateway[];
  /** The gateway of the page. */
  current?: DemoGateway;
  docsUrl: string;
  consoleUrl: string;
  body: Content;
}

/** A whole page. */
export function page({ title, gateways, current, docsUrl, consoleUrl, body }: PageOptions): string {
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
          <nav class="links" aria-label="Passerelle">
            <a href="${docsUrl}">Documentation de l’API</a><a href="${consoleUrl}">Console</a>
          </nav>
        </div>
      </header>
      <main id="contenu" class="wide">${body}</main>
      <footer>
        <p class="wide">
          Agences, lieux et annonces sont inventés. Ces pages lisent l’API, comme le site d’une agence.
        </p>
      </footer>
    </body>
  </html>`.toString()}\n`;
}

export function problem(title: string, explanation: string): Html {
  return html`<section class="problem">
    <h1>${title}</h1>
    <p lang="en">${explanation}</p>
    <p><a class="button" href="${HOME}">Retour à l’accueil</a></p>
  </section>`;
}
