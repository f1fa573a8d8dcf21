import type { ComparedRun, HeldListingSummary, RejectionGroup } from '@passerelle/database';
import { isRunOver, type RunView } from '@passerelle/domain';
import { type Content, type Html, html } from '@passerelle/html';
import type { CommonAffix, RejectionView, ShownRun } from '@passerelle/operations';
import { LONGEST_REASON } from '../access/form';
import {
  badge,
  facts,
  gatewayLink,
  gatewayPath,
  moment,
  notice,
  reasonOf,
  said,
  section,
  table,
} from '../layout/elements';
import { csrfField, may, page, type Visit } from '../layout/page';
import { cardSections } from './listing-cards';
import { RUN_TONES, stateBadge } from './runs-page';

const TONES = { debug: '', info: 'good', warn: 'warn' } as const;

/** The newest log lines of the ingestor about a run, unchanged. */
function logSection({ language: { texts } }: Visit, { log }: ShownRun): Content {
  const { run } = texts;
  if (log === null) return null;
  return section(
    run.log,
    html`<p class="faint">${run.logHint}</p>
      ${log.earlier === 0 ? null : html`<p class="faint">${run.earlierLines(log.earlier)}</p>`}
      ${table(
        run.log,
        [
          { title: 'UTC', value: ({ at }) => html`<time datetime="${at}">${at.slice(11, 23)}</time>` },
          { title: '', value: ({ level }) => badge(TONES[level], level) },
          { title: run.message, value: ({ text }) => html`<code lang="en">${text}</code>` },
        ],
        log.lines,
        texts.nothing,
      )}`,
  );
}

export interface RunToShow {
  run: ShownRun;
  /** The run to compare with: of a held run the one that is served, else the previous one. */
  before: ComparedRun | null;
  held: { listings: number | null; since: string | null } | null;
  cards: readonly HeldListingSummary[];
  /** For each kind: the part that half of the identifiers share, the number of sharing listings, and the total. */
  shared: readonly (CommonAffix & { kind: HeldListingSummary['kind']; all: number })[];
  groups: readonly RejectionGroup[];
  rejections: readonly RejectionView[];
  refused?: { reason: string; sentence: string };
}

export function runPage(
  visit: Visit,
  { run, before, held, cards, shared, groups, rejections, refused }: RunToShow,
): string {
  const { texts } = visit.language;
  return page(
    visit,
    texts.run.title(run.id, `${run.crm}/${run.client}`),
    html`${refused === undefined ? null : notice('bad', said(visit, refused.sentence))}
    ${notice(RUN_TONES[run.state], html`${texts.run.sentence[run.state]} ${run.dry_run ? texts.run.dryRun : null}`)}
    ${verdictOf(visit, run)} ${decisionOf(visit, run)} ${formsOf(visit, run, refused)}
    ${facts([
      [texts.gateway, gatewayLink(run)],
      [texts.state, stateBadge(visit, run)],
      [texts.audit.when, moment(visit, run.started_at ?? run.requested_at)],
      [texts.run.heldSince, held === null ? null : moment(visit, held.since)],
      [texts.run.took, tookOf(visit, run)],
      [
        texts.run.trigger,
        run.asked_by === null
          ? texts.run.triggers[run.trigger]
          : `${run.asked_by} (${texts.run.triggers[run.trigger]})`,
      ],
      [texts.run.inLogs, run.worker === null ? null : html`${run.worker}, <code>"run":${run.id}</code>`],
      [texts.run.request, run.request_id === null ? null : html`<code>${run.request_id}</code>`],
      [texts.run.attempts, run.attempts > 1 ? run.attempts : null],
      [texts.run.rows.kept, keptListings(run)],
    ])}
    ${section(texts.run.figures, figures(visit, run, before, held))} ${sharedList(visit, shared)}
    ${cardSections(visit, run, run, cards)} ${warnings(visit, run)} ${rejectionGroups(visit, groups)}
    ${rejectionTable(visit, run, rejections)} ${logSection(visit, run)}`,
    !isRunOver(run.state),
  );
}

function keptListings(run: ShownRun): Content {
  const { kept = 0, kept_listings = [] } = run;
  if (kept === 0) return null;
  const links = kept_listings.map(
    (affId) => html`<a href="${gatewayPath(run)}/listings/${encodeURIComponent(affId)}">${affId}</a> `,
  );
  return html`${links}${kept > kept_listings.length ? '…' : null}`;
}

function verdictOf(visit: Visit, { verdict, reason }: ShownRun): Content {
  const messages = verdict?.map(({ message }) => message) ?? (reason === null ? [] : [reason]);
  if (messages.length === 0) return null;
  return section(
    visit.language.texts.run.verdict,
    html`<ul>
      ${messages.map((message) => html`<li>${said(visit, message)}</li>`)}
    </ul>`,
  );
}

function decisionOf({ language, now }: Visit, { decided_at, decided_by, decision_reason }: ShownRun): Content {
  if (decided_at === null) return null;
  const { run } = language.texts;
  const [when, reason] = [language.relative(decided_at, now), decision_reason ?? ''];
  if (decided_by !== null) return html`<p>${run.decidedBy(decided_by, when, reason)}</p>`;
  const newer = /^superseded by run (\d+)$/.exec(reason)?.[1];
  const onwards = newer === undefined ? null : html`<a href="/runs/${newer}">${run.newer(Number(newer))}</a>`;
  return html`<p>${run.superseded(when, language.ofLibrary(reason))}. ${onwards}</p>`;
}

function formsOf(visit: Visit, run: ShownRun, refused: RunToShow['refused']): Content {
  const { texts, number } = visit.language;
  if (!may(visit, 'operator')) return null;
  if (!isRunOver(run.state)) {
    return html`<form class="acts" method="post" action="/runs/${run.id}/cancel">
      ${csrfField(visit)}<button class="second">${texts.acts.cancel}</button>
    </form>`;
  }
  if (run.state !== 'held' || run.dry_run === true) return null;
  const mark =
    refused !== undefined && (refused.reason === '' || refused.reason.length > LONGEST_REASON)
      ? html`aria-invalid="true"`
      : null;
  return section(
    texts.run.decide,
    html`<form method="post" action="/runs/${run.id}/decide">
      ${csrfField(visit)}
      <p>${texts.risk.publish(number(run.removed), number(run.added), number(run.changed))} ${texts.risk.discard}</p>
      <p>
        <label for="reason">${texts.reason}. ${texts.reasonHint}</label>
        <textarea id="reason" name="reason" required maxlength="500" ${mark}>${refused?.reason ?? ''}</textarea>
      </p>
      <button class="second" name="verdict" value="discard">${texts.acts.discard}</button>
      <button class="danger" name="verdict" value="publish">${texts.acts.publish}</button>
    </form>`,
  );
}

function tookOf({ language, now }: Visit, { started_at, ended_at }: RunView): string | null {
  if (started_at === null) return null;
  const endMs = ended_at === null ? now.getTime() : Date.parse(ended_at);
  return language.span(Math.max(0, (endMs - Date.parse(started_at)) / 1000));
}

const FIGURES = ['records', 'added', 'changed', 'unchanged', 'removed', 'rejected', 'warnings'] as const;

function figures(visit: Visit, run: ShownRun, before: ComparedRun | null, held: RunToShow['held']): Html {
  const { texts, number } = visit.language;
  const listings =
    held === null ? [] : [{ name: 'listings' as const, now: held.listings ?? 0, then: before?.listings ?? undefined }];
  const rows = [
    ...listings,
    ...FIGURES.map((name) => ({ name, now: run[name], then: before?.[name] })),
    ...(run.kept === undefined ? [] : [{ name: 'kept' as const, now: run.kept, then: undefined }]),
    { name: 'fetchedBytes' as const, now: run.fetched_bytes, then: before?.fetchedBytes },
  ];
  const title = held === null ? texts.run.before : texts.run.served;
  const beforeTitle = before === null ? title : html`${title} (<a href="/runs/${before.id}">${before.id}</a>)`;
  return table(
    texts.run.figures,
    [
      {
        title: texts.run.figures,
        value: ({ name }) => (name === 'listings' ? texts.run.listings : texts.run.rows[name]),
      },
      { title: texts.run.thisRun, value: ({ now }) => number(now), isFigure: true },
      {
        title: beforeTitle,
        label: title,
        value: ({ then }) => (then === undefined ? '' : number(then)),
        isFigure: true,
      },
    ],
    rows,
    texts.nothing,
  );
}

function sharedList({ language: { texts, number } }: Visit, shared: RunToShow['shared']): Content {
  if (shared.length === 0) return null;
  const { shared: words } = texts.run;
  return html`<ul>
    ${shared.map(
      ({ kind, all, count, where, part }) =>
        html`<li>${words[kind](number(count), number(all))} ${words[where]} <code>${part}</code>.</li>`,
    )}
  </ul>`;
}

function warnings(visit: Visit, { warning_list: list }: ShownRun): Content {
  const { texts, number } = visit.language;
  if (list.length === 0) return null;
  return section(
    texts.run.warnings,
    table(
      texts.run.warnings,
      [
        { title: texts.problems.what, value: ({ code }) => reasonOf(visit, code) },
        { title: texts.run.field, value: ({ field }) => field },
        { title: texts.run.value, value: ({ value }) => html`<code>${value}</code>` },
        { title: texts.run.records, value: ({ count }) => number(count), isFigure: true },
        { title: texts.run.examples, value: ({ examples }) => examples.slice(0, 3).join(', ') },
      ],
      list,
      texts.nothing,
    ),
  );
}

/** Rejections by reason and field, the most frequent first. */
function rejectionGroups(visit: Visit, groups: readonly RejectionGroup[]): Content {
  const { texts, number } = visit.language;
  if (groups.length === 0) return null;
  return section(
    texts.run.rejections,
    table(
      texts.run.rejections,
      [
        { title: texts.problems.what, value: ({ code }) => reasonOf(visit, code) },
        { title: texts.run.field, value: ({ field }) => field },
        { title: texts.run.records, value: ({ count }) => number(count), isFigure: true },
        { title: texts.run.message, value: ({ message }) => said(visit, message) },
        { title: texts.run.examples, value: ({ examples }) => examples.join(', ') },
      ],
      groups,
      texts.nothing,
    ),
  );
}

function rejectionTable(visit: Visit, run: ShownRun, rejections: readonly RejectionView[]): Content {
  const { texts } = visit.language;
  if (rejections.length === 0) return null;
  const more = run.rejections - rejections.length;
  return section(
    texts.run.rejectedRecords,
    html`${table(
      texts.run.rejectedRecords,
      [
        { title: texts.run.position, value: ({ position }) => position, isFigure: true },
        { title: 'Id', value: ({ id }) => id },
        { title: texts.run.field, value: ({ field }) => field },
        { title: texts.run.message, value: ({ message }) => said(visit, message) },
        { title: texts.why.excerpt, value: ({ excerpt }) => html`<code>${excerpt}</code>` },
      ],
      rejections,
      texts.nothing,
    )}
    ${more > 0 ? html`<p class="faint">${texts.run.more(more)}</p>` : null}`,
  );
}
