import type { GatewayPause } from '@passerelle/domain';
import { type Html, html, type Content } from '@passerelle/html';
import { moment } from './elements';
import type { Visit } from './page';

export interface TypedPause {
  until: string;
  reason: string;
  /** The invalid field. */
  wrong?: 'until' | 'reason';
}

/** The fields of every form for a pause. `id` distinguishes them from the fields of other forms on the page. */
export function pauseFields({ language: { texts } }: Visit, id: string, { until, reason, wrong }: TypedPause): Html {
  const { pausing } = texts;
  const mark = (field: TypedPause['wrong']): Content => (field === wrong ? html`aria-invalid="true"` : null);
  return html`<div>
      <label for="${id}-until">${pausing.until}</label>
      <input id="${id}-until" name="until" type="datetime-local" value="${until}" ${mark('until')} />
    </div>
    <div>
      <label for="${id}-reason">${texts.reason}. ${pausing.told}</label>
      <input id="${id}-reason" name="reason" required maxlength="500" value="${reason}" ${mark('reason')} />
    </div>`;
}

export const NOTHING_TYPED: TypedPause = { until: '', reason: '' };

/** A validated pause; or a sentence that names the invalid field. */
export function parsePause(
  { language: { texts }, now }: Visit,
  { until: text, reason }: TypedPause,
): { until: Date | null; reason: string; now: Date } | { problem: string; wrong: 'until' | 'reason' } {
  if (reason === '') return { problem: texts.pausing.reasonMissing, wrong: 'reason' };
  if (text === '') return { until: null, reason, now };
  // Browsers send the time without a time zone; the field's label names the zone.
  const until = new Date(/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/.test(text) ? `${text}Z` : NaN);
  if (Number.isNaN(until.getTime()) || until <= now) return { problem: texts.pausing.untilWrong, wrong: 'until' };
  return { until, reason, now };
}

export function pauseTerms(
  visit: Visit,
  { until, by, reason }: Pick<GatewayPause, 'until' | 'by' | 'reason'>,
): Content {
  const { pausing } = visit.language.texts;
  const end = until === null ? pausing.untilResumed : html`${pausing.untilTime} ${moment(visit, until)}`;
  return html`${end}, ${pausing.by(by)}${reason === null ? '' : `${visit.language.texts.colon}${reason}`}`;
}
