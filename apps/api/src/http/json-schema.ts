import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

/** The part of JSON Schema that our declarations use; it is also what openapi.json prints. */
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

/** Compiles the declarations that openapi.json shows into the checks that requests pass. */
export const ajv = new Ajv2020({ allErrors: false, allowUnionTypes: true });
addFormats(ajv, ['uri']);
