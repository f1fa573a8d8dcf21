import { apiDocuments } from '../../tools/api-docs/documents';

/** What the build makes for the API: tests of the API need no build. */
export const API_DOCUMENTS = apiDocuments();
