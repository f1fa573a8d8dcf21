import { apiDocuments } from '../../tools/api-docs/documents';

/** The documents that the build generates for the API. With this copy, tests of the API need no build. */
export const API_DOCUMENTS = apiDocuments();
