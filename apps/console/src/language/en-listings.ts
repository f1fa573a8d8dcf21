import type { WarningCode } from '@passerelle/domain';

/** What kept searches say in English. */
export const EN_VIEWS = {
  title: 'Kept views',
  keep: 'Keep this view',
  name: 'Its name, for all operators',
  remove: 'Remove it',
};

/** What the chart of a gateway says in English. */
export const EN_CHART = {
  title: 'Listings and changes over 90 days',
  nothing: 'Nothing was published yet.',
  label: (first: string, last: string, days: number) =>
    `From ${first} to ${last} listings in ${days} ${days === 1 ? 'day' : 'days'}; the bars are what came, changed and went.`,
  figures: 'The days in figures',
  day: 'Day (UTC)',
};

/** What the page of a listing says in English. */
export const EN_LISTINGS = {
  record: 'The record, field by field',
  recordHint: 'As it came, beside the fields of the listing that have the same value.',
  became: 'In the listing',
  notAsItIs: 'nowhere as it is: translated, or not used',
  made: 'What was translated, computed or put together',
  differences: 'Differences',
  toAgency: 'To send to the agency',
  agency: {
    listed: (id: string) => `Your listing ${id} is online: it is in the list that your site fetches.`,
    removed: (id: string, when: string) =>
      `Your software no longer sends the listing ${id} (since ${when}). Please check that it is marked for publication on your site.`,
    rejected: (id: string, field: string, why: string) =>
      `Your software sends the listing ${id}, but it cannot be shown${field === '' ? '' : ` because of its field “${field}”`} (${why}). Please correct it there: it appears with the next update.`,
    withdrawn: (id: string) =>
      `Your software says that the listing ${id} is not to be shown. Please check its status and its publication there.`,
    held: (id: string) =>
      `Your software has sent the listing ${id}. Its last update differs so much from the one before that we look at it first.`,
    unknown: (id: string) =>
      `Your software has never sent a listing ${id}. Please check that it is marked for publication on your site, and its reference.`,
  },
  warnings: {
    unknown_word: 'a word that we do not know',
    unmapped_field: 'a field that we do not know',
    photo_missing: 'the photo did not come',
    photo_refused: 'the photo cannot be shown',
    photo_invalid: 'no usable address',
    duplicate_id: 'twice in the feed',
    implausible_value: 'cannot be right',
    wrong_encoding: 'in another encoding than declared',
    declared_count: 'another count than declared',
    duty_missing: 'the law asks for more',
    missed_call: 'the source did not call',
    unanswered: 'did not come when it was asked for',
    extra_request_failed: 'could not be fetched',
  } satisfies Record<WarningCode, string>,
};
