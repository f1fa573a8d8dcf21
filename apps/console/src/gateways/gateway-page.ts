import type {
  AuditedChange,
  ExportToken,
  GatewayDay,
  ListedSnapshot,
  ReceivedReport,
  RevertGuard,
  ShownKey,
  NotifiedSource,
} from '@passerelle/database';
import type { GatewayPause, RunView } from '@passerelle/domain';
import { type Html, html, type Content } from '@passerelle/html';
import type { FeedMemoryView, GatewayRow } from '@passerelle/operations';
import { changesTable } from '../history/audit-page';
import { facts, gatewayPath, moment, notice, said, section, table } from '../layout/elements';
import { csrfField, may, page, type Visit } from '../layout/page';
import { NOTHING_TYPED, pauseFields, pauseTerms, type TypedPause } from '../layout/pause-fields';
import { pushPath } from '../push/push-page';
import { runsPath, runsTable } from '../runs/runs-page';
import { type BulkAct, isPausedByItself, shownAs } from './bulk';
import { daysChart } from './days-chart';
import { followUpSection, type ShownFollowUp } from './follow-up-section';
import { guardSection, snapshotsSection } from './snapshots-section';
import { STATE_TONES, whyStale } from './list-page';

export interface GatewayOverview {
  row: GatewayRow;
  runs: readonly RunView[];
  days: readonly GatewayDay[];
  keys: readonly ShownKey[];
  tokens: readonly ExportToken[];
  report: ReceivedReport | null;
  changes: readonly AuditedChange[];
  disabledWebhooks: number;
  /** State events that its source has not received yet. */
  pendingFeedback: NotifiedSource | null;
  memory: FeedMemoryView;
  /** Snapshots that can be read, newest first. */
  kept: readonly ListedSnapshot[];
  guard: RevertGuard | null;
  /** Changes that wait for an ingestor. */
  pendingEdits: number;
  followUp: ShownFollowUp;
  refused?: TypedPause & { act: BulkAct; sentence: string };
}

/** One gateway: its state in a sentence, the possible actions, and its facts. */
export function gatewayPage(
  visit: Visit,
  {
    row,
    runs,
    days,
    keys,
    tokens,
    report,
    changes,
    disabledWebhooks,
    pendingFeedback,
    memory,
    kept,
    guard,
    pendingEdits,
    followUp,
    refused,
  }: GatewayOverview,
): string {
  const { texts } = visit.language;
  const { one, nav, push } = texts;
  const toPush = html`<a href="${pushPath(row)}">${push.title}</a>`;
  return page(
    visit,
    `${row.crm}/${row.client}`,
    html`${refused === undefined ? null : notice('bad', refused.sentence)}
      ${notice(STATE_TONES[row.state], sentenceOf(visit, row))}
      ${row.paused === null || ['paused', 'disabled'].includes(row.state) ? null : notice('warn', pausedSentence(visit, row, row.paused))}
      ${disabledWebhooks === 0 ? null : notice('bad', html`${push.disabledNotice(disabledWebhooks)} ${toPush}`)}
      ${pendingEdits === 0 ? null : notice('warn', texts.editing.waiting(pendingEdits))}
      ${pendingFeedback === null ? null : feedbackNotice(visit, pendingFeedback)} ${guardSection(visit, row, guard)}
      ${followUpSection(visit, row, followUp)} ${acts(visit, row)} ${pauseForm(visit, row, refused)}
      ${disableForm(visit, row, refused)}
      <form class="line" method="get" action="${gatewayPath(row)}/listings" role="search">
        <div>
          <label for="id">${one.findListing}${texts.colon}${one.findListingHint}</label
          ><input id="id" name="id" required maxlength="200" />
        </div>
        <button class="second">${one.find}</button>
      </form>
      ${factsOf(visit, row)} ${links(visit, row, toPush)} ${section(texts.chart.title, daysChart(visit, days))}
      ${section(
        nav.runs,
        html`${runsTable(visit, runs, false)}
          <p><a href="${runsPath({ crm: row.crm, client: row.client })}">${one.allRuns}</a></p>`,
      )}
      ${snapshotsSection(visit, row, kept)} ${section(texts.memory.title, memoryOf(visit, memory))}
      ${section(one.keys, keysTable(visit, keys))} ${section(one.exportTokens, tokensTable(visit, tokens))}
      ${section(one.report, reportOf(visit, report))} ${section(one.history, changesTable(visit, changes))}`,
    // While a run is waiting or under way, the page refreshes itself to show the result.
    row.isRunning || row.waitingSince !== null || pendingEdits > 0,
  );
}

/** The pages on which operators change the gateway. */
function links(visit: Visit, row: GatewayRow, toPush: Html): Html {
  const { editing } = visit.language.texts;
  const path = gatewayPath(row);
  return html`<p>
    ${may(visit, 'operator') ? html`<a href="${path}/edit">${editing.title}</a> · ` : null}
    <a href="${path}/keys">${editing.keys.title}</a> · ${toPush} ·
    <a href="${path}/adverts">${visit.language.texts.nav.exports}</a>
    ${may(visit, 'admin') ? html` · <a href="${path}/remove">${editing.remove.title}</a>` : null}
  </p>`;
}

/** Pending state events, and the failure of the last try. */
function feedbackNotice(visit: Visit, { listings, since, tries, error }: NotifiedSource): Html {
  const { one } = visit.language.texts;
  const what = one.pendingFeedback(listings, visit.language.relative(since, visit.now));
  return error === null
    ? notice('warn', what)
    : notice('bad', html`${what} ${one.failedFeedback(tries)} ${said(visit, error)}`);
}

function sentenceOf(visit: Visit, row: GatewayRow): Content {
  const { language, now } = visit;
  const { sentence } = language.texts.one;
  const since = row.since === null ? '' : language.relative(row.since, now);
  switch (row.state) {
    case 'failing':
      return sentence.failing(row.failures, since, language.ofLibrary(row.failingReason ?? ''));
    case 'held':
      return html`${sentence.held(row.heldRunId ?? 0, language.ofLibrary(row.heldReason ?? ''))}
        <a href="/runs/${row.heldRunId}">${language.texts.overview.decide}</a>`;
    case 'disabled':
      return row.enabled && row.contractEnd !== null ? sentence.ended(row.contractEnd) : sentence.disabled;
    case 'stale':
      return row.confirmedAt === null
        ? language.texts.snapshots.unconfirmed
        : html`${sentence.stale(since)} ${whyStale(visit, row)}`;
    case 'fresh':
      return sentence.fresh(since);
    case 'never':
      return sentence.never;
    case 'paused':
      return row.paused === null ? null : pausedSentence(visit, row, row.paused);
  }
}

function pausedSentence(visit: Visit, { heldRunId }: GatewayRow, pause: GatewayPause): Html {
  const { one, overview, pausing } = visit.language.texts;
  const { crm, host } = pause;
  const what =
    host !== null ? one.sentence.pausedHost(host) : one.sentence[crm === null ? 'paused' : 'pausedConnector'];
  const decide = heldRunId === null ? null : html` <a href="/runs/${heldRunId}">${overview.decide}</a>`;
  const all = isPausedByItself(pause) ? null : html` <a href="/connectors">${visit.language.texts.nav.connectors}</a>`;
  return html`${what}, ${pauseTerms(visit, pause)}. ${pausing.dryRuns}${all}${decide}`;
}

function acts(visit: Visit, row: GatewayRow): Content {
  if (!may(visit, 'operator')) return null;
  const { acts: names } = visit.language.texts;
  const form = (act: 'ingest' | 'retry' | 'dry-run' | 'resume' | 'enable', tone: string): Html =>
    html`<form class="acts" method="post" action="${gatewayPath(row)}/act">
      ${csrfField(visit)}${shownField(row)}<button class="${tone}" name="act" value="${act}">${names[act]}</button>
    </form>`;
  if (!row.enabled) return form('enable', '');
  const isPaused = row.paused !== null;
  return html`${row.paused !== null && isPausedByItself(row.paused) ? form('resume', '') : null}
  ${row.active && !isPaused ? form(row.failures > 0 ? 'retry' : 'ingest', '') : null}
  ${row.active ? form('dry-run', 'second') : null}`;
}

/** Disabling takes the site down, so it needs a second step and a reason. */
function disableForm(visit: Visit, row: GatewayRow, refused: GatewayOverview['refused']): Content {
  if (!may(visit, 'operator') || !row.enabled) return null;
  const { acts: names, reason, reasonHint, risk } = visit.language.texts;
  const isRefused = refused?.act === 'disable';
  return html`<details ${isRefused ? html`open` : null}>
    <summary>${names.disable}…</summary>
    <p>${risk.disable}</p>
    <form class="line" method="post" action="${gatewayPath(row)}/act">
      ${csrfField(visit)}${shownField(row)}
      <div>
        <label for="reason">${reason}. ${reasonHint}</label>
        <input
          id="reason"
          name="reason"
          required
          maxlength="500"
          value="${isRefused ? refused.reason : ''}"
          ${isRefused && refused.wrong === 'reason' ? html`aria-invalid="true"` : null}
        />
      </div>
      <button class="danger" name="act" value="disable">${names.disable}</button>
    </form>
  </details>`;
}

/** Records the shown state in the form, so that a gateway that has changed since is skipped. */
function shownField(row: GatewayRow): Html {
  return html`<input type="hidden" name="shown" value="${shownAs(row)}" />`;
}

/** For a paused gateway, the form sets a new end or a new reason. */
function pauseForm(visit: Visit, row: GatewayRow, refused: GatewayOverview['refused']): Content {
  if (!may(visit, 'operator') || !row.active) return null;
  const { acts: names } = visit.language.texts;
  const typed = refused?.act === 'pause' ? refused : null;
  return html`<details ${typed === null ? null : html`open`}>
    <summary>${names.pause}…</summary>
    <form class="line" method="post" action="${gatewayPath(row)}/act">
      ${csrfField(visit)}${shownField(row)} ${pauseFields(visit, 'pause', typed ?? NOTHING_TYPED)}
      <button name="act" value="pause">${names.pause}</button>
    </form>
  </details>`;
}

function factsOf(visit: Visit, row: GatewayRow): Html {
  const { language } = visit;
  const { texts } = language;
  const settings = Object.entries(row.settings ?? {}).map(([name, value]) => html`<code>${name}=${value}</code> `);
  return facts([
    [texts.listings, language.number(row.listings ?? 0)],
    [texts.one.published, moment(visit, row.publishedAt)],
    [texts.confirmed, moment(visit, row.confirmedAt)],
    [texts.nextRun, row.active && row.paused === null ? moment(visit, row.nextRunAt) : null],
    [texts.one.source, html`<code>${row.sourceUrl ?? texts.one.sourceHidden}</code>`],
    [texts.one.credentials, row.hasCredentials ? texts.one.given : texts.none],
    [texts.one.settings, settings.length === 0 ? null : settings],
    [texts.one.every, row.everySeconds === null ? texts.one.byDefault : language.span(row.everySeconds)],
    [texts.one.contractEnd, row.contractEnd],
  ]);
}

/** The facts about the source that let the next run read as little as possible. */
function memoryOf(visit: Visit, memory: FeedMemoryView): Html {
  const { language } = visit;
  const { memory: texts, since } = language.texts;
  const time = (at: string | null): Content => (at === null ? null : moment(visit, at));
  const kept = html`${language.number(memory.kept_records)}, ${since} ${time(memory.kept_since)}`;
  return html`<p>${memory.unchanged_by === null ? texts.nothing : texts.marks[memory.unchanged_by]}</p>
    ${facts([
      ['ETag', memory.etag === null ? null : html`<code>${memory.etag}</code>`],
      ['Last-Modified', time(memory.last_modified)],
      [texts.size, memory.size_bytes === null ? null : language.number(memory.size_bytes)],
      [texts.known, memory.known_records === 0 ? null : language.number(memory.known_records)],
      [texts.whole, time(memory.whole_list_read_at)],
      [texts.changes, time(memory.changes_asked_at)],
      [texts.removal, time(memory.newest_removal_at)],
      [texts.anew, time(memory.asked_anew_since)],
      [texts.kept, memory.kept_records === 0 ? null : kept],
    ])}`;
}

function keysTable(visit: Visit, keys: readonly ShownKey[]): Html {
  const { one, never, none } = visit.language.texts;
  return table(
    one.keys,
    [
      { title: one.key, value: ({ prefix }) => html`<code>${prefix}…</code>` },
      { title: one.scope, value: ({ scope }) => one.scopes[scope] },
      { title: one.networks, value: ({ networks }) => networks?.join(', ') ?? one.anywhere },
      { title: one.lastUsed, value: ({ lastUsedOn }) => lastUsedOn ?? never },
      { title: one.ends, value: ({ expiresAt }) => (expiresAt === null ? never : moment(visit, expiresAt)) },
    ],
    keys,
    none,
  );
}

function tokensTable(visit: Visit, tokens: readonly ExportToken[]): Html {
  const { one, never, none } = visit.language.texts;
  return table(
    one.exportTokens,
    [
      { title: one.key, value: ({ prefix }) => html`<code>${prefix}…</code>` },
      { title: one.made, value: ({ createdAt }) => moment(visit, createdAt) },
      { title: one.lastUsed, value: ({ lastUsedOn }) => lastUsedOn ?? never },
    ],
    tokens,
    none,
  );
}

function reportOf(visit: Visit, report: ReceivedReport | null): Html {
  const { one, listings, siteStates, state } = visit.language.texts;
  if (report === null) return html`<p class="faint">${one.noReport}</p>`;
  return facts([
    [state, html`${siteStates[report.status]}, ${moment(visit, report.receivedAt)}`],
    [listings, report.count === null ? null : visit.language.number(report.count)],
    ['Site', report.siteUrl],
    ['Plugin', report.plugin],
    [visit.language.texts.run.message, report.message],
  ]);
}
