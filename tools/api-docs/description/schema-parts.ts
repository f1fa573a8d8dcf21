import type { JsonSchema } from './json-schema';

export const string = (description: string): JsonSchema => ({ type: 'string', description });
export const integer = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description });
export const nullable = (type: 'string' | 'integer', description: string): JsonSchema => ({
  type: [type, 'null'],
  description,
});

/** An object with exactly these members, all required. */
export function closed(description: string, properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', description, properties, required: Object.keys(properties), additionalProperties: false };
}
