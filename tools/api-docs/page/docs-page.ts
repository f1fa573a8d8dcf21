import { callsSection } from './calls';
import { callsOf, type Description } from './description';
import { errorsSection } from './errors';
import { headersSection } from './headers';
import { Html, line, markup, paragraphs } from './markup';
import { chips, enumerationsOf, enumId, membersTable, objectId } from './schemas';
import { SCRIPT } from './script';
import { STYLE } from './style';
import { syncingSection } from './syncing';

interface Section {
  id: string;
  title: string;
  body: Html;
  /** What the table of contents lists below it. */
  parts?: readonly { id: string; title: string }[];
}

/**
 * The documentation for people, made from openapi.json: whatever it says stands here. It loads nothing from other sites;
 * without JavaScript everything but the forms is there.
 *
 * @param openapiText openapi.json as it is sent
 * @param demoGateways those whose keys are public, in JSON
 */
export function docsPage(openapiText: string, demoGateways: string): string {
  // Made by openapi(), whose tests hold it against the standard.
  const description = JSON.parse(openapiText) as Description;
  const sections = sectionsOf(description);
  return `<!doctype html>
${markup`<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${description.info.title}</title>
    <link rel="icon" href="data:," />
    ${inPage('style', STYLE)}
  </head>
  <body data-demo="${demoGateways}">
    ${contents(sections)}
    <main>
      <header>
        <h1>${description.info.title}</h1>
        ${paragraphs(description.info.description)}
        <p class="links"><a href="openapi.json">openapi.json, the same for machines</a></p>
      </header>
      ${sections.map(
        ({ id, title, body }) =>
          markup`<section id="${id}">
            <h2>${title}</h2>
            ${body}
          </section> `,
      )}
    </main>
    ${inPage('script', SCRIPT)}
  </body>
</html> `.toString()}`;
}

function sectionsOf(description: Description): Section[] {
  const { schemas } = description.components;
  const objects = Object.entries(schemas).filter(([, { properties }]) => properties !== undefined);
  const ofProperty = ['Property', 'RawProperty', 'Photo'];
  const tellObjects = (wanted: typeof objects): Html =>
    markup`${wanted.map(
      ([name, schema]) =>
        markup`<h3 id="${objectId(name)}">${name}</h3>
          <p>${line(schema.description ?? '')}</p>
          ${membersTable(schemas, name)}`,
    )}`;
  return [
    { id: 'sync', title: 'Sync safely in five calls', body: syncingSection() },
    {
      id: 'calls',
      title: 'Calls',
      body: markup`${gatewayCard()}${callsSection(description)}`,
      parts: callsOf(description).map(({ method, path, call }) => ({
        ...{ id: call.operationId, title: `${method} ${path}` },
      })),
    },
    {
      id: 'fields',
      title: 'Fields of a property',
      body: tellObjects(objects.filter(([name]) => ofProperty.includes(name))),
    },
    {
      id: 'words',
      title: 'Enumerations',
      body: markup`${enumerationsOf(schemas).map(
        ({ owner, words, description: about }) =>
          markup`<h3 id="${enumId(owner)}">${owner}</h3>
            <p>${line(about)}</p>
            <p>${chips(words)}</p> `,
      )}`,
    },
    {
      id: 'objects',
      title: 'Other objects',
      body: tellObjects(objects.filter(([name]) => !ofProperty.includes(name) && name !== 'Error')),
    },
    {
      id: 'headers',
      title: 'Headers',
      body: headersSection(description),
      parts: [{ id: 'x-cache', title: 'What X-Cache means' }],
    },
    { id: 'errors', title: 'Errors', body: errorsSection(description) },
  ];
}

function contents(sections: readonly Section[]): Html {
  const entry = (id: string, title: string, inner: Html): Html =>
    markup`<li><a href="#${id}">${title}</a>${inner}</li> `;
  return markup`<nav aria-label="Contents">
    <details open>
      <summary>Contents</summary>
      <ul>
        ${sections.map(({ id, title, parts = [] }) =>
          entry(
            id,
            title,
            parts.length === 0
              ? markup``
              : markup`<ul>
                  ${parts.map((part) => entry(part.id, part.title, markup``))}
                </ul>`,
          ),
        )}
      </ul>
    </details>
  </nav>`;
}

function gatewayCard(): Html {
  return markup`<div id="gateway" class="card">
    <h3>The gateway to try them with</h3>
    <div class="row">
      <label id="demo" hidden
        >demo
        <select></select
      ></label>
      <label>crm <input id="crm" autocomplete="off" spellcheck="false" placeholder="connector code" /></label>
      <label>client <input id="client" autocomplete="off" spellcheck="false" placeholder="client slug" /></label>
      <label class="wide"
        >API key <input id="key" autocomplete="off" spellcheck="false" placeholder="sent in the header Key"
      /></label>
    </div>
    <p>The key stays in this tab. Keys belong on servers: do not build a browser front end like this page.</p>
    <noscript><p>The forms need JavaScript; everything else is there without it.</p></noscript>
  </div> `;
}

/** The page's own style or script: what the policy allows by its hash, so it stands as it is. */
function inPage(tag: 'style' | 'script', text: string): Html {
  return new Html(`<${tag}>${text}</${tag}>`);
}
