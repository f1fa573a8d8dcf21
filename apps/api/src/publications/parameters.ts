import { PUBLICATION_REASONS, PUBLICATION_STATES } from '@passerelle/domain';
import { z } from 'zod';
import { type Parameter, parameterReader, plainInteger, type ValuesOf } from '../http/parameters';
import { PAGE_PARAMETERS } from '../properties/parameters';

const { crm, client, page, per_page } = PAGE_PARAMETERS;

export const PUBLICATIONS_PARAMETERS = {
  ...{ crm, client, page },
  per_page: { ...per_page, description: 'Publications on a page.' },
  affId: {
    description: 'Only the publications of this listing.',
    allowed: 'the affId of a listing',
    schema: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[^\0]*$/)
      .optional(),
    example: 'DEMO-0001',
  },
  target: {
    description: 'Only publications at this portal or in this format.',
    allowed: 'the code of a target',
    schema: z
      .string()
      .regex(/^[a-z0-9-]{1,40}$/)
      .optional(),
    example: 'poliris',
  },
  placement: {
    description: 'Only the publications of this placement.',
    allowed: 'the id of a placement',
    schema: plainInteger({ min: 1 }).optional(),
    example: 3,
  },
  state: {
    description: 'Only publications in this state.',
    allowed: PUBLICATION_STATES.join(', '),
    schema: z.enum(PUBLICATION_STATES).optional(),
    example: 'refused',
  },
  reason: {
    description: 'Only publications with this reason.',
    allowed: PUBLICATION_REASONS.join(', '),
    schema: z.enum(PUBLICATION_REASONS).optional(),
    example: 'not-ready',
  },
  since: {
    description: 'Only publications whose state has changed since this time.',
    allowed: 'a time in ISO 8601',
    schema: z.iso.datetime({ offset: true }).optional(),
    example: '2025-11-21T09:30:00Z',
  },
  url: {
    description: 'Only the publication whose advert has this address at the portal.',
    allowed: 'an address, exactly as a publication has it',
    schema: z
      .string()
      .min(1)
      .max(2000)
      .regex(/^[^\0]*$/)
      .optional(),
    example: 'https://portal.example/adverts/4711',
  },
} satisfies Record<string, Parameter>;

export type PublicationsQuery = ValuesOf<typeof PUBLICATIONS_PARAMETERS>;

/** @throws ApiError BAD_REQUEST */
export const readPublicationsQuery = parameterReader(PUBLICATIONS_PARAMETERS);
