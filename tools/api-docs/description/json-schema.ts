import { z } from 'zod';

export interface JsonSchema {
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null' | readonly string[];
  description?: string;
  pattern?: string;
  format?: string;
  enum?: readonly string[];
  const?: string | number | boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  default?: string | number;
  examples?: readonly unknown[];
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean | JsonSchema;
  $ref?: string;
}

/** @param side the output or the input of a schema that converts values. */
export function toJsonSchema(schema: z.ZodType, side: 'output' | 'input' = 'output'): object {
  const { default: preset, ...rest } = z.toJSONSchema(schema, { io: side });
  // The whole document declares its dialect only once.
  delete rest.$schema;
  return { ...rest, ...(preset !== undefined && { default: preset }) };
}

export const string = (description: string): JsonSchema => ({ type: 'string', description });
export const integer = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description });
export const nullable = (type: 'string' | 'integer', description: string): JsonSchema => ({
  type: [type, 'null'],
  description,
});

export function closed(description: string, properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', description, properties, required: Object.keys(properties), additionalProperties: false };
}
