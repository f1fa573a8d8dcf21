import { SYNCING_GUIDE } from '../../tools/api-docs/syncing/guide';
import { PHP_LOOP } from '../../tools/api-docs/syncing/php-loop';
import { TYPESCRIPT_LOOP } from '../../tools/api-docs/syncing/typescript-loop';
import { expectSection, markdownTable } from '../support/generated-section';

const PAGE = 'docs/syncing.md';
const { why, calls, kept, steps, answers, approved, plain, programs } = SYNCING_GUIDE;

describe('docs/syncing.md', () => {
  it.each([
    ['why', why],
    [
      'calls',
      markdownTable(
        ['call', 'what for'],
        calls.map(({ call, purpose }) => [`\`${call}\``, purpose]),
      ),
    ],
    ['kept', kept],
    ['steps', steps.map((step, index) => `${index + 1}. ${step}`).join('\n')],
    [
      'answers',
      markdownTable(
        ['answer', 'what to do'],
        answers.map(({ answer, todo }) => [answer, todo]),
      ),
    ],
    ['approved', approved],
    ['plain', plain],
    ['programs', programs],
    ['php', '```php\n' + PHP_LOOP + '```'],
    ['typescript', '```ts\n' + TYPESCRIPT_LOOP + '```'],
  ])('matches the syncing guide in section %s', (name, markdown) => {
    expectSection(PAGE, name, markdown);
  });
});
