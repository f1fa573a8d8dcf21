import { ApiError } from '@passerelle/domain';
import { ajv, type JsonSchema } from './json-schema';

/** A query parameter: what openapi.json declares is what is checked. */
export interface Parameter {
  description: string;
  /** What is allowed, to follow "must be" in the message of a 400. */
  allowed: string;
  required: boolean;
  schema: JsonSchema;
  example?: string | number;
}

/** No sign, no space, no leading zero, no exponent. */
const PLAIN_INTEGER = /^(?:0|[1-9][0-9]{0,15})$/;

/**
 * Makes a function that reads declared parameters from a parsed query and ignores all others.
 * It throws an `ApiError` for the first one that is missing, given twice or not allowed.
 */
export function parameterReader<T extends object>(
  declared: Readonly<Record<keyof T & string, Parameter>>,
): (query: unknown) => T {
  const parameters = Object.entries<Parameter>(declared).map(([name, parameter]) => {
    const isValid = ajv.compile(parameter.schema);
    const isInteger = parameter.schema.type === 'integer';
    return { name, isValid, isInteger, ...parameter };
  });
  return (query) => {
    const given = query as Record<string, unknown>;
    const values: Record<string, unknown> = {};
    for (const { name, required, schema, isValid, isInteger, allowed } of parameters) {
      const text = given[name];
      if (text === undefined) {
        if (required) throw refusedParameter(name, allowed, `The query parameter "${name}" is missing`);
        values[name] = schema.default;
        continue;
      }
      if (typeof text !== 'string') {
        throw refusedParameter(name, allowed, `The query parameter "${name}" is given more than once`);
      }
      const value = isInteger && PLAIN_INTEGER.test(text) ? Number(text) : text;
      if (!isValid(value)) throw refusedParameter(name, allowed, `The query parameter "${name}" is invalid`);
      values[name] = value;
    }
    return values as T;
  };
}

/** The 400 that names a parameter or body member and what is allowed. */
export function refusedParameter(name: string, allowed: string, complaint: string): ApiError {
  return new ApiError('BAD_REQUEST', `${complaint}: it must be ${allowed}.`, { parameter: name, allowed });
}
