import { RETENTION } from '@passerelle/domain';
import { expectSection, markdownTable } from '../support/generated-section';

const {
  snapshots,
  history,
  unchangedRuns,
  reports,
  walks,
  photos,
  details,
  webhooks,
  leads,
  feedback,
  notifications,
  exports,
  removedAdverts,
  audit,
  signInNetworks,
  takenReports,
  ...others
} = RETENTION;

describe('RETENTION', () => {
  it('has a documented line for each period', () => {
    expect(others).toEqual({});
  });

  it('matches the table in docs/database.md', () => {
    expectSection(
      'docs/database.md',
      'retention',
      markdownTable(
        ['', 'kept for'],
        [
          [
            'the listings of a replaced snapshot',
            `${snapshots.hours} hours, and at least ${snapshots.count} snapshots deep`,
          ],
          ['its token and its changes', `${history.days} days after that`],
          [
            'unchanged runs',
            `the newest ${unchangedRuns.count} of a gateway (up to ten more between two cleanings); older ones as one line a day with their number, for ${history.days} days ([decision 33](decisions/0033-run-history.md))`,
          ],
          [
            'other runs with their rejections and warnings',
            `${history.days} days; longer while a readable snapshot came from them, or while they are held`,
          ],
          ['walks', `${walks.hours} hours, the longest that \`WALK_SECONDS\` can be`],
          [
            'reports',
            `the newest ${reports.count.toLocaleString('en')} of a gateway, for ${reports.days} days; its newest, and the newest that named a site, as long as the gateway`,
          ],
          ['which reports were taken in from the bucket of lists', `${takenReports.days} day`],
          ['messages to webhooks, and their answers', `${webhooks.days} days; longer while it waits`],
          ['leads', `${leads.days} days after their delivery; for as long as they wait`],
          ['notices to sources', `${feedback.days} days after their delivery; for as long as they wait`],
          ['notifications to operators', `${notifications.days} days after their delivery; for as long as they wait`],
          ['exports to portals', `${exports.days} days after their end; for as long as they wait`],
          [
            'which adverts portals have',
            `as long as a portal has them; ${removedAdverts.days} days after it removed one`,
          ],
          [
            'networks from which operators signed in',
            `${signInNetworks.days} days after the last time, and the newest ${signInNetworks.count} of an operator`,
          ],
          ['changes by operators', `${audit.days / 365} years`],
          [
            'records that were requested one by one',
            `until their listings are published, and at most ${details.days} days`,
          ],
          ['photos that came as files', `${photos.days} days; longer while a snapshot that is kept names them`],
        ],
      ),
    );
  });

  it('keeps a snapshot longer than a pagination session, and a token longer than its snapshot', () => {
    expect(walks.hours).toBeLessThan(snapshots.hours);
    expect(history.days * 24).toBeGreaterThan(snapshots.hours);
    expect(snapshots.count).toBeGreaterThanOrEqual(2);
  });
});
