export interface Values {
  [name: string]: unknown;
}

interface Schema {
  type: string | string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean;
  items?: Schema;
  required?: string[];
  enum?: string[];
  minimum?: number;
  maximum?: number;
}

const SERVICE_TYPES = ['ClusterIP', 'NodePort', 'LoadBalancer'];
/** Values whose type in values.yaml says too little. */
const NARROWER: readonly [path: RegExp, schema: Schema][] = [
  [/^image\.pullPolicy$/, { type: 'string', enum: ['Always', 'IfNotPresent', 'Never'] }],
  [/\.service\.type$/, { type: 'string', enum: SERVICE_TYPES }],
  [/^database\.port$/, { type: 'integer', minimum: 1, maximum: 65_535 }],
  [/(^|\.)extraEnv$/, { type: 'array', items: { type: 'object', required: ['name'] } }],
  [/\.(limits|requests)$/, { type: 'object' }],
];

/**
 * A schema with the types in values.yaml. An empty map in values.yaml accepts any keys; resource amounts may be numbers
 * or texts.
 */
export function schemaOf(value: unknown, path = ''): Schema {
  const narrower = NARROWER.find(([paths]) => paths.test(path));
  if (narrower !== undefined) return narrower[1];
  if (Array.isArray(value)) return { type: 'array' };
  if (typeof value === 'number') return { type: 'integer', minimum: 0 };
  if (typeof value !== 'object' || value === null) return { type: typeof value };
  const entries = Object.entries(value as Values);
  if (entries.length === 0) return { type: 'object' };
  const properties = entries.map(([name, one]): [string, Schema] => [
    name,
    schemaOf(one, path === '' ? name : `${path}.${name}`),
  ]);
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}
