import { z } from 'zod';
import { type Parameter, parameterReader, type ValuesOf } from '../http/parameters';

export const EXPORT_PARAMETERS = {
  token: {
    description:
      'The token that the operator made for this export; it gives access to nothing else. Never the API key.',
    allowed: 'an export token',
    schema: z.string().min(1).max(200),
    example: 'psx_an-export-token',
  },
  lang: {
    description: 'The language of `intitule` and `commentaires`, ISO 639-1; the format requires a language.',
    allowed: 'a language code of two letters',
    schema: z
      .string()
      .regex(/^[a-z]{2}$/)
      .default('fr'),
    example: 'fr',
  },
} satisfies Record<string, Parameter>;

export type ExportQuery = ValuesOf<typeof EXPORT_PARAMETERS>;

/** @throws ApiError BAD_REQUEST */
export const readExportQuery = parameterReader(EXPORT_PARAMETERS);
