/** Why the publish gate holds a run, with what outsiders are told: those who can neither see nor mend the source. */
export const HELD_REASONS = {
  empty: 'The source sent an empty list where it had listings before. An operator looks at it.',
  incomplete: 'The source sent an incomplete list. An operator looks at it.',
  nothing_usable: 'None of the records that the source sent can be used. An operator looks at it.',
  vanished: 'Unusually many listings are missing from what the source sent. An operator looks at it.',
  replaced: 'Unusually many listings of the source have other identifiers than before. An operator looks at it.',
  foreign: 'The source sent listings of other agencies than before. An operator looks at it.',
  fill_drop: 'What the source sent lacks fields that it had before. An operator looks at it.',
  garbled: 'Texts of the source are garbled. An operator looks at it.',
} as const;
export type GateReasonCode = keyof typeof HELD_REASONS;

/** Why a run fails, with what outsiders are told. */
export const FAILED_REASONS = {
  retry: 'The source did not answer, or asked to be left alone for a while. It is tried again by itself.',
  'give-up': 'The source answered with something that is not a complete feed. It is tried again by itself.',
  'fix-access': 'The source refuses access, or its settings cannot work. The operator of the gateway must change them.',
  deadline: 'Reading the source took too long. It is tried again by itself.',
  media: 'Photos cannot be stored inside the service. The import is tried again by itself.',
  internal: 'The last import failed inside the service. It is tried again by itself.',
} as const;
export type FailedReasonCode = keyof typeof FAILED_REASONS;
