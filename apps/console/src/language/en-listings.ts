import type { RejectionCode, WarningCode } from '@passerelle/domain';
import type { MemoryMark } from '@passerelle/operations';

export const EN_VIEWS = {
  title: 'Saved views',
  keep: 'Save this view',
  name: 'Name of the view, for all operators',
  remove: 'Remove the view',
};

export const EN_CHART = {
  title: 'Listings and changes over 90 days',
  nothing: 'Nothing was published yet.',
  label: (first: string, last: string, days: number) =>
    `From ${first} to ${last} listings in ${days} ${days === 1 ? 'day' : 'days'}; the bars show added, changed and removed listings.`,
  figures: 'The days in figures',
  day: 'Day (UTC)',
};

export const EN_MEMORY = {
  title: 'Change detection',
  nothing: 'Nothing is published yet: the next run reads everything.',
  marks: {
    answer: 'Its source says whether the feed has changed: if not, a run downloads nothing.',
    file: 'The time and size of its file show whether it has changed: if not, a run downloads nothing.',
    bytes: 'Its source does not say whether the feed has changed: each run downloads it and compares its bytes.',
    records: 'Each run compares the records with the published ones, and maps those that differ.',
  } satisfies Record<MemoryMark, string>,
  size: 'Bytes of the feed',
  known: 'Known records',
  whole: 'Full list read',
  changes: 'Changes requested',
  removal: 'Newest removal',
  anew: 'Requested again since',
  kept: 'Records kept until they are published',
};

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
  keptSince: 'Unreadable since (the last published version is served)',
  record: 'The record, field by field',
  recordHint:
    'The raw record, beside the fields of the listing that change when the record has another value there, or none.',
  became: 'Changes in the listing',
  required: 'required: without this value there is no listing.',
  alike: 'not tried; the same value is in',
  notTried: 'not tried',
  notUsed: (unless: readonly string[]) =>
    unless.length === 0
      ? 'unused: the listing is the same without it'
      : `unused, except perhaps together with data that is not shown here, for ${unless.join(', ')}`,
  made: 'Fields of the listing that no single field changes',
  differences: 'Differences',
  toAgency: 'Message for the agency',
  agency: {
    listed: (id: string, day: string) =>
      `Your listing ${id} is online: your site receives it${day === '' ? '' : ` in its version of ${day}`}.`,
    removed: {
      absent: (id: string, day: string) =>
        `Your software has not sent the listing ${id} since ${day}. Please check that it is marked for publication on your site.`,
      withdrawn: (id: string, day: string) =>
        `Your software has said since ${day} that the listing ${id} must not be shown. Please check its status and its publication there.`,
      rejected: (id: string, day: string) =>
        `Since ${day} the listing ${id} cannot be shown, because its data cannot be used. Please check it in your software.`,
      revert: (id: string, day: string) =>
        `On ${day} we went back to an earlier list of yours, which does not have the listing ${id}. You need not do anything: it appears again when we take the next list.`,
    },
    rejected: (id: string, field: string, why: string, day: string) =>
      `Your software sends the listing ${id}, but it cannot be shown${field === '' ? '' : ` because of its field “${field}”`} (${why}, on ${day}). Please correct it there: it appears with the next update.`,
    withdrawn: (id: string, day: string) =>
      `Your software has said since ${day} that the listing ${id} must not be shown. Please check its status and its publication there.`,
    kept: (id: string, why: string, day: string) =>
      `Since ${day} the updates of the listing ${id} cannot be used (${why}). Its previous version stays online for a few days. Please correct it in your software.`,
    held: (id: string, day: string) =>
      `Your software sent the listing ${id} on ${day}. That update differs so much from the previous one that we check it first.`,
    unread: (id: string) => `We have not received a list from your software yet, and so no listing ${id}.`,
    unknown: (id: string, day: string) =>
      `The list that your software sent on ${day} has no listing ${id}. Please check that it is marked for publication on your site, and its reference.`,
  },
  rejections: {
    malformed: 'unreadable',
    missing_id: 'has no identifier',
    missing_field: 'lacks a required field',
    invalid_value: 'an impossible value',
    too_large: 'too large',
    too_slow: 'takes too long to map',
    withdrawn: 'must not be shown, or no longer',
  } satisfies Record<RejectionCode, string>,
  warnings: {
    unknown_word: 'an unknown word',
    unmapped_field: 'an unknown field',
    photo_missing: 'the file is missing (photo, plan or document)',
    photo_refused: 'the file cannot be shown (photo, plan or document)',
    photo_invalid: 'no usable address',
    duplicate_id: 'twice in the feed',
    implausible_value: 'an impossible value',
    wrong_encoding: 'declared with the wrong encoding',
    unknown_element: 'an unknown element',
    declared_count: 'a wrong declared count',
    duty_missing: 'lacks data that the law requires',
    not_remapped: 'the new mapping needs the record from the source',
    alternating_list: 'the source alternates between two lists',
    missed_call: 'the source did not call',
    unanswered: 'was requested and not delivered',
    extra_request_failed: 'could not be fetched',
  } satisfies Record<WarningCode, string>,
};
