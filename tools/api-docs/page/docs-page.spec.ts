import { API_ERRORS, CORE_FIELDS, LISTING_FIELDS, TYPES_CODE, TYPES_TRANSACTION } from '@passerelle/domain';
import { filledIn } from '../../../apps/api/src/discovery/documents';
import { apiDocuments } from '../documents';

const DEMO = { crm: 'apimo', client: 'sample', key: 'a "public" <key>' };
const { openapi: openapiText, page } = filledIn(apiDocuments(), {
  baseUrl: 'https://listings.example/api',
  demoGateways: [DEMO],
});
const document = JSON.parse(openapiText);
/** The page as a person reads it. */
const text = page
  .replace(/<(style|script)>.*?<\/\1>/gs, '')
  .replace(/<[^<>]*>/g, '')
  .replaceAll('&quot;', '"')
  .replaceAll('&lt;', '<')
  .replaceAll('&gt;', '>')
  .replaceAll('&amp;', '&')
  .replace(/\s+/g, ' ');

/** What a person reads in a description: without marks of code, on one line. */
function plain(description: string): string {
  return description.replaceAll('`', '').replace(/\s+/g, ' ');
}

/** Rows of a table of members, by the object that it tells. */
function tableOf(object: string): string {
  const [, after = ''] = page.split(`id="object-${object}"`);
  return /<table>.*?<\/table>/s.exec(after)?.[0] ?? '';
}

interface Described {
  description?: string;
  properties?: Record<string, Described>;
}

describe('the documentation page', () => {
  it.each([...LISTING_FIELDS])('tells of the field %s', (field) => {
    const { description } = document.components.schemas.Property.properties[field];
    expect(tableOf('Property')).toContain(`<code>${field}</code>`);
    expect(text).toContain(plain(description));
  });

  it('tells of every member of every other object', () => {
    for (const [object, { properties }] of Object.entries<Described>(document.components.schemas)) {
      for (const [name, { description }] of Object.entries(properties ?? {})) {
        expect([object, tableOf(object)]).toEqual([object, expect.stringContaining(`<code>${name}</code>`)]);
        if (description !== undefined) expect(text).toContain(plain(description));
      }
    }
    expect(CORE_FIELDS.length).toBeGreaterThan(17);
  });

  it.each([...TYPES_TRANSACTION, ...TYPES_CODE, 'acquereur', 'semaine', 'montant', 'failing', 'withdrawn', 'held'])(
    'lists the word %s',
    (word) => {
      expect(page).toContain(`<code>${word}</code>`);
    },
  );

  it.each(Object.entries(API_ERRORS))('tells when %s (%d) is sent', (code, status) => {
    const row = new RegExp(`<tr>(?:(?!</tr>).)*id="error-${code}".*?</tr>`, 's').exec(page)?.[0] ?? '';
    expect(row).toContain(`>${status}<`);
    const response = Object.values<{ description: string; content: object }>(document.components.responses).find(
      ({ content }) => JSON.stringify(content).includes(`"code":"${code}"`),
    );
    expect(text).toContain(plain(response?.description ?? 'nothing'));
  });

  it('tells of every header of every answer, and what X-Cache means', () => {
    const names = [...openapiText.matchAll(/"([A-Za-z-]+)":\{"\$ref":"#\/components\/headers\//g)].map(
      ([, name]) => name,
    );
    expect(new Set(names).size).toBe(Object.keys(document.components.headers).length);
    for (const name of new Set(names)) expect(page).toContain(`id="header-${name}"`);
    for (const { description } of Object.values<Described>(document.components.headers)) {
      expect(text).toContain(plain(description ?? 'nothing'));
    }
    expect(page).toMatch(/id="x-cache">What X-Cache means<\/h3>\s*<p><code>HIT<\/code>/);
  });

  it('tells of every call with its parameters, and shows it in three languages', () => {
    for (const [path, methods] of Object.entries<Record<string, Operation>>(document.paths)) {
      const { operationId, description, parameters = [] } = methods['get'] ?? methods['post'] ?? methods['delete']!;
      const article = new RegExp(`<article id="${operationId}">.*?</article>`, 's').exec(page)?.[0] ?? '';
      expect(article).toContain(`<code>${path}</code>`);
      expect(text).toContain(plain(description));
      for (const { name } of parameters) expect(article).toContain(`<code>${name}</code>`);
      for (const language of ['curl', 'PHP', 'TypeScript']) expect(article).toContain(`data-language="${language}"`);
    }
  });

  it('leads only to what is there, and to everything that it lists', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);

    expect(ids.length).toBe(new Set(ids).size);
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
    expect(targets).toEqual(
      expect.arrayContaining(['sync', 'calls', 'fields', 'words', 'headers', 'errors', 'x-cache']),
    );
  });

  it('hides nothing where a finger cannot point, and loads nothing from elsewhere', () => {
    expect(page).not.toMatch(/ title=/);
    expect(page).not.toMatch(/(?:src|href)="https?:/);
    expect(page).not.toMatch(/ (?:style|on[a-z]+)="/);
  });

  it('leaves no blank', () => {
    expect(page + openapiText).not.toContain('blank-');
    expect(page).toContain('https://listings.example/api/v1/properties?crm=apimo&amp;client=sample');
    expect(openapiText).toContain('"servers":[{"url":"https://listings.example/api"}]');
  });

  it('names the demo gateways, whatever their keys are made of', () => {
    expect(page).toContain('&quot;key&quot;:&quot;a \\&quot;public\\&quot; &lt;key&gt;&quot;');
  });
});

interface Operation {
  operationId: string;
  description: string;
  parameters?: { name: string }[];
}
