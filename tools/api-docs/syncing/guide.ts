/** How a site synchronizes, written once for the documentation page and for docs/syncing.md. Backticks mark code. */
export const SYNCING_GUIDE = {
  why:
    'A site that mirrors our list deletes what is missing from it. A deletion is only right when the site has seen the ' +
    'whole list, and it can prove that: every published list is a snapshot with a token, and the manifest of a snapshot ' +
    'has one line for each property, with a hash over all lines.',

  /** The five calls, by their operation ids in openapi.json. */
  calls: [
    {
      operationId: 'getManifest',
      call: 'GET /v1/manifest',
      purpose:
        'The proof: which properties there are, and which have changed. With `If-None-Match`: 304 and no body when ' +
        'nothing has; with `HEAD` never a body.',
    },
    {
      operationId: 'listProperties',
      call: 'GET /v1/properties?ids=A,B&snapshot=TOKEN',
      purpose: 'The properties that are new or changed, 1 to 200 at a time, from that same snapshot.',
    },
    {
      operationId: 'listChanges',
      call: 'GET /v1/changes?since=TOKEN',
      purpose:
        'Instead of both, for a site that has the whole list of a snapshot and keeps its token: what was removed, added, ' +
        'changed. A few kilobytes where a manifest is a hundred.',
    },
    {
      operationId: 'reportImport',
      call: 'POST /v1/report',
      purpose: 'Result of an import by the site; operators and `/v1/feed` show it.',
    },
    {
      operationId: 'getFeed',
      call: 'GET /v1/feed',
      purpose:
        'When a list is not fresh: why, in a sentence that may be shown; and whether its source is paused, until when and why.',
    },
  ],

  kept:
    'A client stores `affId`, `empreinte` and `photos` of each property that it has, the token of the last snapshot that it ' +
    'has applied completely, and the `ETag` of its manifest. It stores no page number. After an interruption it begins again ' +
    'with the manifest, and finds the rest by comparing.',

  steps: [
    'With a token: `HEAD /v1/manifest` with the `ETag`. 304: done. Else `X-Snapshot` names the snapshot to come to.',
    'Ask for the changes since the token up to that snapshot; each brings the `empreinte` to note. Forget the token before the first one is applied, and note ' +
      'the new one after the last: a client that is interrupted in between goes on with the manifest. So does one that has no token, ' +
      'whose token has expired, or that would have a long list of changes to apply in a short time. Changes are proven when ' +
      'they are as many as `meta.total` says, each of another listing, and up to that snapshot; another snapshot without a ' +
      'change is no proof either. Without proof, go on with the manifest.',
    'Ask for the manifest, and check the proof: as many lines as `meta.total` says, and `meta.hash` is SHA-256 over `affId ' +
      'TAB empreinte TAB photos LF` for each line in order (UTF-8; `photos` empty where the line has none). Without proof, ' +
      'change nothing.',
    'Fetch what is new or has another `empreinte` by `ids`, with `snapshot` from `meta.snapshot`. Note that each is coming ' +
      'before it is stored, and its `empreinte` after: what is stored and not noted would never be removed. Fetch photos ' +
      'again only where `photos` differs.',
    'Before anything is stored, hold a mass removal back: everything, more than 5 and more than 20 %, or more than half of at ' +
      'least 4 listings would go, and the changes do not say `approved`. Then remove and add nothing until a person has confirmed it: a ' +
      'proof shows that a list is whole, not that it is right.',
    'Remove what the client has and the manifest lacks. Apart from the changes that say so, this is the only place that ' +
      'removes anything.',
    'When nothing is left, note the token and the `ETag`, and report.',
  ],

  answers: [
    { answer: '304', todo: 'Nothing has changed: done.' },
    {
      answer: '400 with `detail.reason` `expired`',
      todo: 'The snapshot is no longer kept: begin again with the manifest.',
    },
    {
      answer: '401, 403',
      todo: 'Stop, and tell a person: the key is wrong, or the gateway is disabled. Remove nothing.',
    },
    { answer: '429, 500, with `Retry-After`', todo: 'Try again after so many seconds. Remove nothing.' },
    {
      answer: 'a connection that breaks, a body that is no JSON',
      todo: 'It never happened: try again. Half an answer is no answer.',
    },
  ],

  approved:
    'A removal in `/v1/changes` with `approved: true` was approved by an operator of the gateway: it does not count as a part of ' +
    'a mass removal.',

  plain:
    'A client that reads `/v1/properties` page by page without tokens is safe too, if it reads from page 1 to the last page: ' +
    'the pages of its walk come from one snapshot, also when another one is published, for 15 minutes or the time that the ' +
    'operator has set. `X-Snapshot` on each page is the proof: one token, one list.',

  programs:
    'Each run works for at most `SECONDS` seconds, and continues where the previous run stopped: run it by cron, for example. ' +
    'Its arguments are the base address, crm, client, key, and the file that keeps its state. When it holds a mass removal back it ' +
    'fails and says how many would go; a person confirms them with `CONFIRM_REMOVAL=` and that number. The functions `store` and ' +
    '`remove` are yours; after an interruption both may be called again for what they have done already.',
} as const;

export function syncingGuide(): string {
  const { why, calls, kept, steps, answers, approved, plain } = SYNCING_GUIDE;
  return [
    'For sites that prove that they have seen everything before they remove anything.',
    why,
    ['| call | what for |', '|---|---|', ...calls.map(({ call, purpose }) => `| \`${call}\` | ${purpose} |`)].join(
      '\n',
    ),
    `**State of a client.** ${kept}`,
    steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
    ['| answer | what to do |', '|---|---|', ...answers.map(({ answer, todo }) => `| ${answer} | ${todo} |`)].join(
      '\n',
    ),
    approved,
    plain,
  ].join('\n\n');
}
