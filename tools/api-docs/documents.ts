import { BLANKS, type Documents } from '../../apps/api/src/discovery/documents';
import { endpoints } from './description/operation';
import { openapi } from './description/openapi';
import { operations } from './description/operations';
import { docsAssets, docsPage } from './docs-page';

/** The documents of the API, with placeholders for values that only a running API knows. */
export function apiDocuments(): Documents {
  const all = operations(BLANKS);
  const text = JSON.stringify(openapi(BLANKS.baseUrl, all));
  return {
    endpoints: endpoints(all),
    openapi: text,
    page: docsPage(BLANKS.demoGateways),
    assets: docsAssets(),
  };
}
