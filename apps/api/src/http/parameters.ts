import { ApiError } from '@passerelle/domain';
import { z } from 'zod';

/** A query parameter, as declared in openapi.json and checked in requests. */
export interface Parameter<Value = unknown> {
  description: string;
  /** The allowed values, to follow "must be" in the message of a 400. */
  allowed: string;
  /** Parses the parameter's text. A parameter with a default is not required. */
  schema: z.ZodType<Value, string | undefined>;
  example: string | number | readonly (string | number)[];
}

type Parameters = Readonly<Record<string, Parameter>>;

export type ValuesOf<Declared extends Parameters> = {
  [Name in keyof Declared]: Declared[Name] extends Parameter<infer Value> ? Value : never;
};

/** An integer without sign, space, leading zero, fraction or exponent. */
const PLAIN_INTEGER = /^(?:0|[1-9][0-9]{0,15})$/;

export function plainInteger({ min, max = Number.MAX_SAFE_INTEGER }: { min: number; max?: number }) {
  return z.string().regex(PLAIN_INTEGER).transform(Number).pipe(z.int().min(min).max(max));
}

/** A reader that ignores undeclared parameters. Missing, repeated or invalid values throw ApiError BAD_REQUEST. */
export function parameterReader<Declared extends Parameters>(
  declared: Declared,
): (query: unknown) => ValuesOf<Declared> {
  const schema = z.object(Object.fromEntries(Object.entries(declared).map(([name, { schema }]) => [name, schema])));
  return (query) => {
    const read = schema.safeParse(query);
    if (read.success) return read.data as ValuesOf<Declared>;
    const name = String(read.error.issues[0]?.path[0]);
    const fault = faultOf((query as Record<string, unknown>)[name]);
    throw refusedParameter(name, declared[name]?.allowed ?? '', `The query parameter "${name}" is ${fault}`);
  };
}

function faultOf(value: unknown): string {
  if (value === undefined) return 'missing';
  return typeof value === 'string' ? 'invalid' : 'given more than once';
}

export function refusedParameter(name: string, allowed: string, complaint: string): ApiError {
  return new ApiError('BAD_REQUEST', `${complaint}: it must be ${allowed}.`, { parameter: name, allowed });
}

/** The raw value of a query parameter, because a decoded comma within a value would look like a separator. */
export function sentParameter(url: string, name: string): string {
  return new RegExp(`[?&]${name}=([^&#]*)`).exec(url)?.[1] ?? '';
}

/** Decodes percent-encoded values, separated by commas. If the commas are encoded too, it decodes the list twice. */
export function splitEncoded(list: string): string[] {
  return list.includes(',') ? list.split(',').map(decoded) : decoded(list).split(',').map(decoded);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // The value was already decoded and contains a percent sign.
    return text;
  }
}
