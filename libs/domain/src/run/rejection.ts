export const REJECTION_CODES = {
  malformed: 'the record cannot be read: it is cut, or its markup or columns are broken',
  missing_id: 'the record has no identifier',
  missing_field: 'the record lacks a field that every listing needs',
  invalid_value: 'a field holds a value that is invalid in this format',
  too_large: 'the record exceeds the size limit',
  too_slow: 'mapping the record exceeds the time limit: the record is unusual or malicious',
  withdrawn: 'the feed says that this listing must not be shown, or no longer',
} as const;
export type RejectionCode = keyof typeof REJECTION_CODES;

/** True for an unreadable record. Its listing may still be offered, so the published version stays for a while. */
const UNREADABLE: Readonly<Record<RejectionCode | 'too_slow', boolean>> = {
  // A fault of the export or of the transport: the agency still offers the listing.
  malformed: true,
  // The identifier itself may be the broken field: the feed no longer names the record's listing.
  missing_id: true,
  // The agency is still editing the record in the CRM. The published version has the field.
  missing_field: true,
  // A fault in one field. The published version has a valid value.
  invalid_value: true,
  // A fault of the export, such as a photo inside the record.
  too_large: true,
  // Slow mapping says nothing about the listing.
  too_slow: true,
  // The feed says that the listing must not be shown.
  withdrawn: false,
};

/** Whether the published listing of a record that was rejected with this code is kept for a while. */
export function isUnreadable(code: RejectionCode): boolean {
  return UNREADABLE[code];
}

export interface Rejection {
  /** 1-based position of the record in the feed. */
  position: number;
  /** The listing's affId, or the known part of it. */
  recordId?: string;
  field?: string;
  code: RejectionCode;
  /** One sentence for operators; no private data. */
  message: string;
  /** At most 200 characters of the record around the fault, without private data. */
  excerpt?: string;
}

export const WARNING_CODES = {
  unknown_word: 'a word of the feed is not in our vocabulary; the listing has "autre", or no value',
  unmapped_field: 'the feed has a field that the connector does not know; the raw record omits it',
  photo_missing: 'a photo, floor plan or document is a file that came neither with this feed nor with an earlier one',
  photo_refused:
    'a file cannot be served: it is too large, is damaged, or is not an image (a floor plan or document may be a PDF)',
  photo_invalid: 'a photo, floor plan or document has no usable URL',
  duplicate_id: 'two records have the same identifier; the newer one counts, otherwise the later one in the feed',
  implausible_value: 'a value is doubtful, or is impossible and was left out',
  wrong_encoding: 'the bytes are not in the encoding that the feed declares',
  unknown_element: 'the feed has an unknown element beside its records; it may be a record of another kind',
  declared_count: 'the feed declares another number of records than it holds',
  duty_missing: 'the law of its country requires data in the advert that the record lacks',
  alternating_list: 'the source returns to earlier lists again and again: it may have two copies that differ',
  not_remapped:
    'the stored record lacks what the new mapping needs; the next run that reads the source maps this listing again',
  missed_call: 'the source changed this listing without a call; a comparison with its list found it',
  unanswered: 'the source named a listing and did not deliver its record; the next run requests it again',
  extra_request_failed: 'a secondary request of the connector failed; the fields that depend on it are missing',
} as const;
export type WarningCode = keyof typeof WARNING_CODES;

export interface Warning {
  code: WarningCode;
  field: string;
  /** The word, column name or value in question. */
  value: string;
  count: number;
  /** Up to three record ids. */
  examples: string[];
}
