import { SYNCING_GUIDE } from '../syncing/guide';
import { PHP_LOOP } from '../syncing/php-loop';
import { TYPESCRIPT_LOOP } from '../syncing/typescript-loop';
import { code, folded, type Html, line, links, table, markup } from './markup';

/** How a site stays in step without deleting wrongly, with two whole programs. */
export function syncingSection(): Html {
  const { why, calls, kept, steps, answers, approved, plain, programs } = SYNCING_GUIDE;
  return markup`<p>${line(why)}</p>
    ${table(
      ['call', 'what for'],
      calls.map(({ operationId, call, purpose }) => [
        markup`<code>${call}</code>`,
        line(purpose),
        links([{ to: operationId, text: 'the call' }]),
      ]),
    )}
    <h3>What a client keeps</h3>
    <p>${line(kept)}</p>
    <h3>The loop</h3>
    <ol>
      ${steps.map((step) => markup`<li>${line(step)}</li> `)}
    </ol>
    ${table(
      ['answer', 'what to do'],
      answers.map(({ answer, todo }) => [line(answer), line(todo)]),
    )}
    <p>${line(approved)}</p>
    <p>${line(plain)}</p>
    <h3>Whole programs</h3>
    <p>${line(programs)}</p>
    ${folded('PHP 7.4 or later, without a dependency', code(PHP_LOOP, 'PHP'))}${folded(
      'TypeScript, Node 20 or later',
      code(TYPESCRIPT_LOOP, 'TypeScript'),
    )}`;
}
