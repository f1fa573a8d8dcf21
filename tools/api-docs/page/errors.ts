import { API_ERRORS, type ApiErrorCode } from '@passerelle/domain';
import type { Description } from './description';
import { code, folded, type Html, line, table, markup } from './markup';
import { membersTable, objectId } from './schemas';

interface ErrorExample {
  code: ApiErrorCode;
  message: string;
}

/** Every code: when it is sent and what to do, with the envelope that they share. */
export function errorsSection(description: Description): Html {
  const { responses, schemas } = description.components;
  const errors = Object.values(responses).flatMap(({ description: about = '', content }) => {
    const example = content?.['application/json']?.example as ErrorExample | undefined;
    return example === undefined ? [] : [{ about, example }];
  });
  return markup`${table(
    ['status', 'code', 'message, for instance', 'when, and what to do'],
    errors.map(({ about, example }) => [
      API_ERRORS[example.code],
      markup`<code id="${errorId(example.code)}">${example.code}</code>`,
      example.message,
      line(about),
    ]),
  )}
    <h3 id="${objectId('Error')}">The envelope</h3>
    ${membersTable(schemas, 'Error')}
    ${folded('Example of an error', code(JSON.stringify(errors[0]?.example, null, 2), 'JSON'))}`;
}

export function errorId(name: string): string {
  return `error-${name}`;
}
