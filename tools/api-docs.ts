import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENT_FILES } from '../apps/api/src/discovery/documents';
import { apiDocuments } from './api-docs/documents';

// A step of the build: writes openapi.json, the page at `/docs` and the list of endpoints, which the API serves.
const folder = join(__dirname, '..', 'dist', 'apps', 'api', 'documents');
const { endpoints, openapi, page, assets } = apiDocuments();
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, DOCUMENT_FILES.endpoints), JSON.stringify(endpoints));
writeFileSync(join(folder, DOCUMENT_FILES.openapi), openapi);
writeFileSync(join(folder, DOCUMENT_FILES.page), page);
for (const [file, text] of Object.entries(assets)) writeFileSync(join(folder, file), text);
// Swagger UI has the Apache License, whose text must be included.
for (const [file, copy] of [
  ['LICENSE', 'swagger-ui.LICENSE'],
  ['NOTICE', 'swagger-ui.NOTICE'],
] as const)
  copyFileSync(require.resolve(`swagger-ui-dist/${file}`), join(folder, copy));
