import openapiTypescript from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';
import { openapi } from '../api-docs/description/openapi';
import { operations } from '../api-docs/description/operations';

/** From the project's root. */
export const CLIENT_TYPES_PATH = 'clients/typescript/src/api-types.ts';

const DEMO = { crm: 'kyero', client: 'demo' };
const HEAD = '/** Generated from openapi.json by `npm run client:types`: change that, not this. */\n';

export async function clientTypes(): Promise<string> {
  const {
    openapi: version,
    info,
    components,
  } = JSON.parse(JSON.stringify(openapi('https://listings.example', operations(DEMO)))) as Document;
  // The types of calls are written by hand, because generated ones would be three quarters of the text.
  const schemas = { openapi: version, info, paths: {}, components: { schemas: components.schemas } };
  const file = ts.createSourceFile(CLIENT_TYPES_PATH, '', ts.ScriptTarget.ES2023);
  const nodes = ts.factory.createNodeArray(await openapiTypescript(schemas as Source));
  const types = ts.createPrinter().printList(ts.ListFormat.MultiLine, nodes, file);
  const text = HEAD + types.replace(/^export type (webhooks|\$defs) = .*\n/gm, '');
  return format(text, { ...(await resolveConfig('.prettierrc.json')), parser: 'typescript' });
}

type Source = Parameters<typeof openapiTypescript>[0];

interface Document {
  openapi: string;
  info: object;
  components: { schemas: object };
}
