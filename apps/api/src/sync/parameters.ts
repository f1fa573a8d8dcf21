import { z } from 'zod';
import { type Parameter, parameterReader, type ValuesOf } from '../http/parameters';
import { PAGE_PARAMETERS, SNAPSHOT_PARAMETER } from '../properties/parameters';

const { crm, client, page, per_page, format } = PAGE_PARAMETERS;

export const CHANGES_PARAMETERS = {
  crm,
  client,
  since: {
    description: 'Token of the snapshot that the reader has.',
    allowed: 'the token of a snapshot',
    schema: z.string(),
    example: 'Zk3qTx1bQm2o8vYc5Rn7Lw',
  },
  snapshot: {
    ...SNAPSHOT_PARAMETER,
    description: 'Token of the snapshot that the reader wants to reach; without it the current one.',
  },
  page: { ...page, description: 'Page number, from 1. A page past the end is empty.' },
  per_page: { ...per_page, description: 'Changes on a page.' },
  format,
} satisfies Record<string, Parameter>;

export type ChangesQuery = ValuesOf<typeof CHANGES_PARAMETERS>;

export const readChangesQuery = parameterReader(CHANGES_PARAMETERS);
