import { DEFAULT_THRESHOLDS, MOST_WAITING_LEADS, RETENTION, WEBHOOK_PAUSES_MS } from '@passerelle/domain';
import { RELEASE, SETTINGS } from '@passerelle/settings';
import { BODY_LIMIT_BYTES } from '../../apps/api/src/http/error-envelope';
import { PAGE_PARAMETERS } from '../../apps/api/src/properties/parameters';
import { MIGRATIONS } from '../../libs/database/src/migrations/migrations';
import { PAST_RELEASES } from '../../libs/database/src/migrations/releases';
import { expectSection, markdownTable } from '../support/generated-section';

const PROMISES = 'docs/promises.md';
const minutes = (seconds: number): string => `${seconds / 60} minutes`;
const percent = (share: number): string => `${share * 100} %`;
const number = (n: number): string => n.toLocaleString('en');

// The figures of docs/promises.md and docs/support.md are those of the code.
describe('docs/promises.md', () => {
  it('says how fresh a list is', () => {
    const { REFRESH_EVERY_SECONDS, SNAPSHOT_TTL_SECONDS, KEEP_UNREADABLE_HOURS } = SETTINGS;
    const tries = WEBHOOK_PAUSES_MS.length + 1;
    const hours = Math.floor(WEBHOOK_PAUSES_MS.reduce((sum, pause) => sum + pause, 0) / 3_600_000);
    expectSection(
      PROMISES,
      'freshness',
      markdownTable(
        ['', 'figure', 'checked by'],
        [
          [
            'a source is read every',
            `${minutes(REFRESH_EVERY_SECONDS.fallback)}, or as often as your gateway says`,
            '[schedule](../test/medium/database/schedule.spec.ts)',
          ],
          [
            '`X-Cache: HIT` means that the source confirmed the list within the last',
            minutes(SNAPSHOT_TTL_SECONDS.fallback),
            '[freshness](../libs/domain/src/snapshot/freshness.spec.ts)',
          ],
          [
            'a listing whose record has become unreadable stays for',
            `${KEEP_UNREADABLE_HOURS.fallback} hours`,
            '[snapshots](../apps/ingestor/src/ingest/snapshot-assembly.spec.ts)',
          ],
          [
            'a webhook is sent',
            `up to ${tries} times over ${hours} hours`,
            '[deliveries](../libs/domain/src/outbox/deliveries.spec.ts)',
          ],
        ],
      ),
    );
  });

  it('says when a list is held', () => {
    const { maxVanishedShare, maxVanishedCount, maxReplacedShare, maxFillDrop } = DEFAULT_THRESHOLDS;
    expectSection(
      PROMISES,
      'holds',
      [
        `- More than ${percent(maxVanishedShare)} of the listings, and more than ${maxVanishedCount}, would vanish.`,
        '- At least four listings are served, and more than half of them would vanish.',
        `- More than ${percent(maxReplacedShare)} of the identifiers are new, and as many are gone.`,
        `- ${percent(maxFillDrop)} fewer listings have a price, a title or another important field.`,
        '- The feed is empty, incomplete, unreadable or of another agency, or has elements that nothing reads.',
        '',
        'The [publish gate](../libs/domain/src/run/publish-gate.spec.ts) decides this.',
      ].join('\n'),
    );
  });

  it('says how long data is kept', () => {
    const { snapshots, history, reports, leads, webhooks, audit } = RETENTION;
    expectSection(
      PROMISES,
      'kept',
      markdownTable(
        ['', 'kept for'],
        [
          ['a list that was replaced', `${snapshots.hours} hours, and at least the last ${snapshots.count} lists`],
          ['its changes (`/v1/changes`)', `${history.days} days after that`],
          ['reports of a site', `${reports.days} days, at most the newest ${number(reports.count)}`],
          ['an enquiry', `until the agency has it, then ${leads.days} days`],
          ['a message to your webhook, with your answer', `${webhooks.days} days`],
          ['changes by operators', `${audit.days} days`],
        ],
      ) + '\n\n[database.md](database.md#retention-and-its-cost) has the whole table.',
    );
  });

  it('says which limits the API has', () => {
    const perPage = [
      PAGE_PARAMETERS.per_page.schema.safeParse('200'),
      PAGE_PARAMETERS.per_page.schema.safeParse('201'),
    ];
    expect(perPage.map(({ success }) => success)).toEqual([true, false]);
    expect(SETTINGS.RATE_LIMIT_PER_MINUTE.fallback).toBeNull();
    expectSection(
      PROMISES,
      'limits',
      markdownTable(
        ['', 'at most'],
        [
          ['listings on a page', '200'],
          ['the body of a request', `${BODY_LIMIT_BYTES / 1024} KiB`],
          ['enquiries of a gateway that wait for the agency', number(MOST_WAITING_LEADS)],
          ['requests per minute', 'no limit, unless the operator sets one; beyond it 429 with `Retry-After`'],
        ],
      ),
    );
  });
});

describe('docs/support.md', () => {
  it('says which schema each release has', () => {
    const now = { release: `${RELEASE} (this release)`, schema: MIGRATIONS.at(-1)?.name ?? '' };
    const before = [null, ...PAST_RELEASES];
    expectSection(
      'docs/support.md',
      'releases',
      markdownTable(
        ['release', 'last migration', 'upgrades databases of'],
        [...PAST_RELEASES, now].map(({ release, schema }, at) => [
          release,
          `\`${schema}\``,
          before[at] === null || before[at] === undefined ? '' : `${before[at].release} and later`,
        ]),
      ),
    );
  });
});
