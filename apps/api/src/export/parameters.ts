import { z } from 'zod';
import { type Parameter, parameterReader, type ValuesOf } from '../http/parameters';

export const EXPORT_PARAMETERS = {
  token: {
    description: 'A token that the operator has made for this export; it opens nothing else. Never the API key.',
    allowed: 'an export token',
    schema: z.string().min(1).max(200),
    example: 'psx_an-export-token',
  },
  lang: {
    description: 'The language of the first texts, ISO 639-1: the format asks for it.',
    allowed: 'a language of two letters',
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
