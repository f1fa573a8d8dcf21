import { apiDocuments } from '../../tools/api-docs/documents';

/** The documents that the build makes for the API, so that tests of the API need no build. */
export const API_DOCUMENTS = apiDocuments();
