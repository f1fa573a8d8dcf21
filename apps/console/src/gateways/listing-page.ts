import type { KeptVersion, ComparedChange } from '@passerelle/database';
import type { Warning } from '@passerelle/domain';
import { type Html, html } from '@passerelle/html';
import type { Remap, WhyView } from '@passerelle/operations';
import { badge, facts, gatewayLink, moment, notice, said, section, table } from '../layout/elements';
import { page, type Visit } from '../layout/page';
import { differencesCell, recordSection } from './record-section';

export const LISTING_TONES: Readonly<Record<WhyView['state'], string>> = {
  ...{ listed: 'good', removed: 'warn', rejected: 'bad', withdrawn: 'warn', held: 'warn', unknown: '' },
};

export interface ListingToShow {
  view: WhyView;
  changes: readonly ComparedChange[];
  /** Null when none is kept. */
  version: KeptVersion | null;
  /** From the newest run that read the feed. */
  warnings: readonly Warning[];
  remap: Remap;
}

/** Where a listing is, or at which step it was lost, and why; the raw record and the result. */
export function listingPage(visit: Visit, { view, changes, version, warnings, remap }: ListingToShow): string {
  const { texts } = visit.language;
  const { why, run } = texts;
  const excerpt = view.rejection?.excerpt ?? null;
  return page(
    visit,
    why.title(view.id, `${view.crm}/${view.client}`),
    html`${notice(LISTING_TONES[view.state], said(visit, view.explanation))}
    ${facts([
      [texts.gateway, gatewayLink(view)],
      [texts.state, badge(LISTING_TONES[view.state], why.states[view.state])],
      ['affId', view.aff_id ?? null],
      [run.position, view.position === undefined ? null : visit.language.number(view.position)],
      [why.since, view.since === undefined ? null : moment(visit, view.since)],
      [why.keptSince, view.kept_since === undefined ? null : moment(visit, view.kept_since)],
      [texts.lastRun, view.run === undefined ? null : html`<a href="/runs/${view.run}">${view.run}</a>`],
      [run.field, view.rejection?.field ?? null],
      [why.excerpt, excerpt === null ? null : html`<code>${excerpt}</code>`],
    ])}
    ${toAgency(visit, view)}
    ${section(
      why.changes,
      table(
        why.changes,
        [
          { title: texts.audit.when, value: ({ at }) => moment(visit, at) },
          { title: texts.audit.what, value: ({ change }) => why.kinds[change] },
          { title: why.differences, value: (change) => differencesCell(visit, change) },
          { title: texts.reason, value: ({ reason, approved }) => (approved ? why.approved : (reason ?? '')) },
        ],
        changes,
        texts.nothing,
      ),
    )}
    ${version === null ? null : recordSection(visit, version, warnings, remap)}`,
  );
}

/** A plain sentence to forward to the agency. */
function toAgency(visit: Visit, view: WhyView): Html {
  const { language } = visit;
  const { why } = language.texts;
  const { state, id, since, rejection } = view;
  const day = since === undefined ? '' : language.day(since);
  const message = language.ofLibrary(rejection?.message ?? '');
  const sentenceOf = (): string => {
    if (view.kept_since !== undefined && rejection !== undefined)
      return why.agency.kept(id, message, language.day(view.kept_since));
    if (state === 'rejected') return why.agency.rejected(id, rejection?.field ?? '', message, day);
    if (state === 'unknown')
      return view.last_read === undefined
        ? why.agency.unread(id)
        : why.agency.unknown(id, language.day(view.last_read));
    if (state === 'removed') return why.agency.removed[view.cause ?? 'absent'](id, day);
    return why.agency[state](id, day);
  };
  const sentence = sentenceOf();
  return section(why.toAgency, html`<blockquote>${sentence}</blockquote>`);
}
