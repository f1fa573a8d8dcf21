import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { openapi } from './openapi';
import { operations } from './operations';

interface Operation {
  operationId: string;
  responses: Record<string, object>;
}

interface Media {
  schema: object;
  example?: unknown;
}

const demo = { crm: 'apimo', client: 'sample', key: 'secret' };
const document = JSON.parse(JSON.stringify(openapi('https://listings.example', operations(demo))));
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addSchema(document, 'openapi');

/** All schemas in the document that have an example, with their locations. */
function examples(node: unknown, path: string): { path: string; schema: object; example: unknown }[] {
  if (typeof node !== 'object' || node === null) return [];
  const media = node as Partial<Media>;
  const own =
    media.schema !== undefined && media.example !== undefined
      ? [{ path: `${path}/schema`, schema: media.schema, example: media.example }]
      : [];
  return [...own, ...Object.entries(node).flatMap(([name, child]) => examples(child, `${path}/${escape(name)}`))];
}

function escape(name: string): string {
  return encodeURIComponent(name.replace(/~/g, '~0').replace(/\//g, '~1'));
}

const EXAMPLES = examples(document, 'openapi#');

/** Object members with neither a description nor their own schema, with their locations. */
function undescribed(node: unknown, path: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { properties } = node as { properties?: Record<string, { description?: string; $ref?: string }> };
  const isOfSchemas =
    typeof properties === 'object' && Object.values(properties).every((one) => typeof one === 'object');
  const bare = Object.entries(isOfSchemas ? properties : {}).filter(
    ([, { description = '', $ref, ...rest }]) => description === '' && $ref === undefined && !('const' in rest),
  );
  return [
    ...bare.map(([name]) => `${path}/properties/${name}`),
    ...Object.entries(node).flatMap(([name, child]) =>
      name === 'example' ? [] : undescribed(child, `${path}/${name}`),
    ),
  ];
}

describe('openapi.json', () => {
  it.each(EXAMPLES.map(({ path, example }) => [path, example]))('has a valid example: %s', (path, example) => {
    const isValid = ajv.compile({ $ref: path });

    expect(isValid(example) ? [] : isValid.errors).toEqual([]);
  });

  it('has examples for every JSON body', () => {
    expect(EXAMPLES.length).toBeGreaterThan(25);
  });

  it('refers only to components that exist', () => {
    const pointers = JSON.stringify(document).match(/"\$ref":"#\/[^"]+"/g) ?? [];
    for (const pointer of new Set(pointers)) {
      const steps = pointer.slice(8, -1).split('/').slice(1);
      expect(steps.reduce((node, step) => node?.[step], document)).toBeDefined();
    }
    expect(pointers.length).toBeGreaterThan(20);
  });

  it('describes every member of every object', () => {
    expect(undescribed(document, '')).toEqual([]);
  });

  it('lists the allowed words of a field', () => {
    const { typeCode, typeTransaction, honorairesCharge } = document.components.schemas.Property.properties;
    expect(typeTransaction.enum).toEqual(expect.arrayContaining(['vente', 'cession-de-bail', 'autre']));
    expect(typeCode.enum).toEqual(expect.arrayContaining(['appartement', 'hotel-particulier', 'autre']));
    expect(honorairesCharge.enum).toEqual(expect.arrayContaining(['acquereur', 'locataire']));
  });

  it('names the demo gateway but not its key', () => {
    expect(JSON.stringify(document)).not.toContain('not-a-secret');
    const parameters: { name: string; example: unknown }[] = document.paths['/v1/status'].get.parameters;
    expect(parameters.map(({ name, example }) => [name, example])).toEqual([
      ['crm', 'apimo'],
      ['client', 'sample'],
    ]);
  });

  it('names each operation once, and describes its errors', () => {
    const operations = Object.values<Record<string, Operation>>(document.paths).flatMap(Object.values<Operation>);
    const ids = operations.map(({ operationId }) => operationId);

    expect(new Set(ids).size).toBe(ids.length);
    for (const { responses } of operations) {
      const statuses = Object.keys(responses);
      expect(statuses).toEqual(expect.arrayContaining(['400', '500']));
      expect(statuses.filter((status) => status.startsWith('2'))).not.toHaveLength(0);
    }
  });
});
