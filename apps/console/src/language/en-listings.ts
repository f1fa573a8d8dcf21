import type { RejectionCode, WarningCode } from '@passerelle/domain';
import type { MemoryMark } from '@passerelle/operations';

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

/** What is remembered of a source, in English. */
export const EN_MEMORY = {
  title: 'What is remembered of its source',
  nothing: 'Nothing is published yet: the next run reads everything.',
  marks: {
    answer: 'Its source says whether it has changed: a run fetches nothing where it has not.',
    file: 'The time and size of its file tell whether it has changed: a run fetches nothing where they are the same.',
    bytes: 'Its source does not say whether it has changed: each run fetches the whole feed, and compares its bytes.',
    records: 'Each run compares its records with those that are published, and maps those that are others.',
  } satisfies Record<MemoryMark, string>,
  size: 'Bytes of the feed',
  known: 'Known records',
  whole: 'Whole list read',
  changes: 'Asked what has changed',
  removal: 'Newest removal',
  anew: 'Asked for anew since',
  kept: 'Records kept until they are published',
};

/** What the page of a listing says in English. */
export const EN_LISTINGS = {
  states: {
    listed: 'listed',
    removed: 'removed',
    rejected: 'rejected',
    withdrawn: 'withdrawn',
    held: 'held',
    unknown: 'unknown',
  },
  since: 'Since',
  keptSince: 'Unreadable since; the last published version is served',
  record: 'The record, field by field',
  recordHint:
    'As it came, beside the fields of the listing that have the same value, or that would be other ones without it.',
  became: 'In the listing',
  notAsItIs: 'nowhere as it is: translated, or not used',
  makes: 'decides on',
  notUsed: (unless: readonly string[]) =>
    unless.length === 0
      ? 'not used: the listing is the same without it'
      : `not used, unless together with what is not shown here, for ${unless.join(', ')}`,
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
    kept: (id: string, why: string) =>
      `The last update of the listing ${id} cannot be used (${why}). Its previous version stays online for a few days. Please correct it in your software.`,
    held: (id: string) =>
      `Your software has sent the listing ${id}. Its last update differs so much from the one before that we look at it first.`,
    unknown: (id: string) =>
      `Your software has never sent a listing ${id}. Please check that it is marked for publication on your site, and its reference.`,
  },
  rejections: {
    malformed: 'cannot be read',
    missing_id: 'has no identifier',
    missing_field: 'lacks what it cannot do without',
    invalid_value: 'a value that cannot be',
    too_large: 'too large',
    too_slow: 'takes too long to read',
    withdrawn: 'not, or no longer, to be shown',
  } satisfies Record<RejectionCode, string>,
  warnings: {
    unknown_word: 'a word that we do not know',
    unmapped_field: 'a field that we do not know',
    photo_missing: 'the photo did not come',
    photo_refused: 'the photo cannot be shown',
    photo_invalid: 'no usable address',
    duplicate_id: 'twice in the feed',
    implausible_value: 'cannot be right',
    wrong_encoding: 'in another encoding than declared',
    unknown_element: 'an element that nothing reads',
    declared_count: 'another count than declared',
    duty_missing: 'the law asks for more',
    missed_call: 'the source did not call',
    unanswered: 'did not come when it was asked for',
    extra_request_failed: 'could not be fetched',
  } satisfies Record<WarningCode, string>,
};
