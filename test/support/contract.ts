import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { Answer } from './answer';

interface Operation {
  responses: Record<string, ResponseObject>;
}

interface ResponseObject {
  $ref?: string;
  headers?: Record<string, { $ref?: string; required?: boolean }>;
  content?: Record<string, { schema: object }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, ResponseObject>; headers: Record<string, { required?: boolean }> };
}

/** Compares every answer with its description in our own openapi.json. */
export class Contract {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(private readonly document: Document) {
    addFormats(this.ajv);
    this.ajv.addSchema(document, 'openapi');
  }

  /** @throws Error if the answer does not match its description */
  check(method: string, path: string, answer: Answer): void {
    const what = `${method} ${path.slice(0, 200)} → ${answer.status}`;
    const response = this.responseOf(method, path, answer.status);
    for (const name of response.headers) {
      if (answer.headers[name.toLowerCase()] === undefined) throw new Error(`${what}: the header ${name} is missing`);
    }
    if (method === 'HEAD' || Object.keys(response.schemas).length === 0) {
      if (answer.text !== '') throw new Error(`${what}: it has a body`);
      return;
    }
    const type = answer.headers['content-type']?.split(';', 1)[0] ?? '';
    const schema = response.schemas[type];
    if (schema === undefined) throw new Error(`${what}: the content type ${type} is not described`);
    const body: unknown = type === 'application/json' ? JSON.parse(answer.text) : answer.text;
    const isValid = this.validator(schema);
    if (!isValid(body))
      throw new Error(`${what}: ${this.ajv.errorsText(isValid.errors)}\n${answer.text.slice(0, 500)}`);
    if (hasRequestId(body) && body.request_id !== answer.headers['x-request-id']) {
      throw new Error(`${what}: request_id is not X-Request-Id`);
    }
  }

  private responseOf(
    method: string,
    path: string,
    status: number,
  ): { headers: string[]; schemas: Record<string, string> } {
    const pathname = path.split(/[?#]/, 1)[0] ?? '';
    const template = Object.keys(this.document.paths).find((one) =>
      new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
    );
    const verb = method.toLowerCase();
    const operation = template === undefined ? undefined : this.document.paths[template]?.[verb];
    // No operation means that the path or method is unknown, or the request was not valid HTTP.
    if (template === undefined || operation === undefined) {
      if (status < 400) throw new Error(`${method} ${path} → ${status}: the operation is not described`);
      return this.described(this.document.components.responses['Error'], '#/components/responses/Error');
    }
    const response = operation.responses[String(status)];
    const pointer = `#/paths/${escapePointer(template)}/${verb}/responses/${status}`;
    if (response === undefined) throw new Error(`${method} ${path} → ${status}: the status is not described`);
    return this.described(response, pointer);
  }

  private described(
    response: ResponseObject | undefined,
    pointer: string,
  ): { headers: string[]; schemas: Record<string, string> } {
    if (response?.$ref !== undefined) {
      return this.described(this.document.components.responses[response.$ref.split('/').at(-1) ?? ''], response.$ref);
    }
    const headers = Object.entries(response?.headers ?? {})
      .filter(([, header]) => this.isRequired(header))
      .map(([name]) => name);
    const schemas = Object.fromEntries(
      Object.keys(response?.content ?? {}).map((type) => [
        type,
        `openapi${pointer}/content/${escapePointer(type)}/schema`,
      ]),
    );
    return { headers, schemas };
  }

  private isRequired(header: { $ref?: string; required?: boolean }): boolean {
    if (header.$ref === undefined) return header.required === true;
    return this.document.components.headers[header.$ref.split('/').at(-1) ?? '']?.required === true;
  }

  private validator(pointer: string): ValidateFunction {
    let validate = this.compiled.get(pointer);
    if (validate === undefined) {
      validate = this.ajv.compile({ $ref: pointer });
      this.compiled.set(pointer, validate);
    }
    return validate;
  }
}

function escapePointer(part: string): string {
  return encodeURIComponent(part.replace(/~/g, '~0').replace(/\//g, '~1'));
}

function hasRequestId(body: unknown): body is { request_id: unknown } {
  return typeof body === 'object' && body !== null && 'request_id' in body;
}
