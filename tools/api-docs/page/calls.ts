import { callsOf, type DescribedCall, type Description, type NamedCall, nameOf, resolved } from './description';
import { errorId } from './errors';
import { headerId } from './headers';
import { code, folded, type Html, line, links, table, markup } from './markup';
import { samplesOf } from './samples';
import { meaningOf, membersTable, typeOf } from './schemas';

/** Every call with its parameters, its answers, samples, and a form to try it. */
export function callsSection(description: Description): Html {
  return markup`${description.tags.map(
    ({ name, description: about }) =>
      markup`<h3>${name}</h3>
        <p>${line(about)}</p>
        ${callsOf(description)
          .filter(({ call }) => call.tags[0] === name)
          .map((named) => article(description, named))}`,
  )}`;
}

function article(description: Description, named: NamedCall): Html {
  const { method, path, call } = named;
  const baseUrl = (description.servers[0]?.url ?? '').replace(/\/$/, '');
  return markup`<article id="${call.operationId}">
    <h4>
      <span class="method ${method}">${method}</span> <code>${path}</code> <span class="summary">${call.summary}</span>
    </h4>
    <p>${line(call.description)} ${call.security.length > 0 ? 'It needs a key.' : 'It needs no key.'}</p>
    ${parametersOf(description, call)}${bodyOf(description, call)}${answersOf(description, call)}
    ${exampleOf(call)}${samplesOf(baseUrl, named).map(({ language, text }) => folded(language, code(text, language)))}
    <details class="try" data-path="${path}" data-method="${method.toLowerCase()}"><summary>Try it</summary></details>
  </article> `;
}

function parametersOf({ components }: Description, { parameters = [] }: DescribedCall): Html {
  if (parameters.length === 0) return markup``;
  return markup`<h5>Parameters</h5>
    ${table(
      ['name', 'in', 'type', 'meaning'],
      parameters.map(({ name, in: place, required, description, schema }) => [
        markup`<code>${name}</code> <small>${required ? 'required' : 'optional'}</small>`,
        place,
        typeOf(components.schemas, schema),
        meaningOf({ ...schema, description }, null),
      ]),
    )}`;
}

function bodyOf({ components }: Description, { requestBody }: DescribedCall): Html {
  const schema = requestBody?.content['application/json']?.schema;
  return schema === undefined ? markup`` : markup`<p>The body is JSON: ${typeOf(components.schemas, schema)}</p>`;
}

function answersOf(description: Description, { responses, operationId }: DescribedCall): Html {
  const { schemas } = description.components;
  const all = Object.entries(responses);
  const errors = all.filter(([, { $ref }]) => $ref !== undefined);
  return markup`<h5>Answers</h5>
    ${all
      .filter(([, { $ref }]) => $ref === undefined)
      .map(([status, response]) => {
        const [type, body] = Object.entries(response.content ?? {})[0] ?? [];
        const members = body?.schema.properties === undefined ? null : membersTable(schemas, operationId, body.schema);
        return markup`<p>
            <strong>${status}</strong> ${line(response.description ?? '')}${
              type === undefined || body === undefined || members !== null
                ? ''
                : markup` <code>${type}</code>: ${typeOf(schemas, body.schema)}`
            }
          </p>
          ${members ?? ''}`;
      })}
    <p>Headers: ${links(headersOf(responses).map((name) => ({ to: headerId(name), text: name })))}</p>
    <p>
      Errors:
      ${links(
        errors.flatMap(([status, response]) =>
          codesOf(description, response).map((name) => ({ to: errorId(name), text: `${status} ${name}` })),
        ),
      )}
    </p>`;
}

/** The code of an error that an operation names; the default response names none. */
function codesOf(description: Description, response: { $ref?: string }): string[] {
  const body = resolved(description, response).content?.['application/json'];
  const example = body?.example as { code: string } | undefined;
  return nameOf(response.$ref ?? '') === 'Error' || example === undefined ? [] : [example.code];
}

function headersOf(responses: DescribedCall['responses']): string[] {
  return [...new Set(Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)))];
}

function exampleOf({ responses }: DescribedCall): Html {
  const example = responses['200']?.content?.['application/json']?.example;
  return example === undefined
    ? markup``
    : folded('Example of an answer', code(JSON.stringify(example, null, 2), 'JSON'));
}
