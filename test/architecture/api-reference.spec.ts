import { BLANKS } from '../../apps/api/src/discovery/documents';
import { openapi } from '../../tools/api-docs/description/openapi';
import { operations } from '../../tools/api-docs/description/operations';
import { type ApiDescription, apiReference } from '../../tools/api-docs/reference/markdown';
import { expectSection } from '../support/generated-section';

describe('docs/api.md', () => {
  it('contains the reference generated from openapi.json', () => {
    // A running API fills in these blanks. The page shows none of them.
    const description = openapi(BLANKS.baseUrl, operations(BLANKS)) as ApiDescription;
    expectSection('docs/api.md', 'reference', apiReference(description));
  });
});
