/** How a site synchronizes, written once for the documentation page and for docs/syncing.md. Backticks mark code. */
export const SYNCING_GUIDE = {
  why:
    'A site that mirrors our list deletes what is missing from it. A site may only delete when it has seen the whole ' +
    'list, and it can prove that: every published list is a snapshot with a token, and the manifest of a snapshot has ' +
    'one line for each property, with a hash over all lines.',

  /** The five calls, by their operation ids in openapi.json. */
  calls: [
    {
      operationId: 'getManifest',
      call: 'GET /v1/manifest',
      purpose:
        'The proof: which properties exist, and which have changed. With `If-None-Match`, 304 and no body when nothing ' +
        'has changed; with `HEAD` never a body.',
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
        'Instead of the two calls above, for a site that has the whole list of a snapshot and keeps its token: the ' +
        'removed, added and changed properties. The answer has a few kilobytes, a manifest about a hundred.',
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
        'Why a list is not fresh, in a sentence that a site may show; and whether its source is paused, until when and why.',
    },
  ],

  kept:
    'A client stores `affId`, `empreinte` and `photos` of each property that it has, the token of the last snapshot ' +
    'that it has applied completely, and the `ETag` of its manifest. It stores no page number. After an interruption ' +
    'it starts again with the manifest, and finds the rest by comparison.',

  steps: [
    'With a token: `HEAD /v1/manifest` with the `ETag`. 304: done. Otherwise `X-Snapshot` names the snapshot to reach.',
    'Request the changes since the token up to that snapshot; each change has the `empreinte` to store. Delete the ' +
      'token before the first change is applied, and store the new token after the last one: a client that is ' +
      'interrupted in between continues with the manifest. A client also continues with the manifest if it has no ' +
      'token, if its token has expired, or if it has little time for a long list of changes. Changes are proven when ' +
      'their number is `meta.total`, each one is about another listing, and they lead to that snapshot. Another ' +
      'snapshot without any change is not proven. Without proof, continue with the manifest.',
    'Request the manifest, and check the proof: it has `meta.total` lines, and `meta.hash` is SHA-256 over `affId ' +
      'TAB empreinte TAB photos LF` for each line in order (UTF-8; `photos` empty where the line has none). Without proof, ' +
      'change nothing.',
    'Fetch the properties that are new or have another `empreinte` by `ids`, with `snapshot` from `meta.snapshot`. ' +
      'Record each `affId` before you store the property, and its `empreinte` after: a stored property without a ' +
      'record would never be removed. Fetch photos again only if `photos` differs.',
    'Before you store anything, hold a mass removal back. A mass removal removes all listings, more than 5 and more ' +
      'than 20 % of them, or more than half of at least 4, and the changes do not say `approved`. Then remove and add ' +
      'nothing until a person has confirmed it: a proof shows that a list is complete, not that it is correct.',
    'Remove the properties that the client has and the manifest lacks. Only this step and the changes with `removed` ' +
      'remove properties.',
    'When nothing is left to do, store the token and the `ETag`, and report.',
  ],

  answers: [
    { answer: '304', todo: 'Nothing has changed: done.' },
    {
      answer: '400 with `detail.reason` `expired`',
      todo: 'The snapshot is no longer kept: start again with the manifest.',
    },
    {
      answer: '401, 403',
      todo: 'Stop, and tell a person: the key is wrong, or the gateway is disabled. Remove nothing.',
    },
    { answer: '429, 500, with `Retry-After`', todo: 'Try again after that number of seconds. Remove nothing.' },
    {
      answer: 'a broken connection, a body that is not JSON',
      todo: 'Ignore the incomplete answer and try again.',
    },
  ],

  approved:
    'A removal in `/v1/changes` with `approved: true` was approved by an operator of the gateway: it does not count ' +
    'towards a mass removal.',

  plain:
    'A client that reads `/v1/properties` page by page without tokens is safe too, if it reads from page 1 to the last ' +
    'page: the pages of its walk come from one snapshot, even if another one is published meanwhile, for 15 minutes or ' +
    'the time that the operator has set. `X-Snapshot` on each page is the proof: one token, one list.',

  programs:
    'Each run works for at most `SECONDS` seconds, and continues where the previous run stopped: run it by cron, for ' +
    'example. Its arguments are the base address, crm, client, key, and the file that keeps its state. When it holds a ' +
    'mass removal back, it fails and says how many listings it would remove; a person confirms with `CONFIRM_REMOVAL=` ' +
    'and that number. The functions `store` and `remove` are yours; after an interruption both may be called again for ' +
    'properties that they have already handled.',
} as const;

export function syncingGuide(): string {
  const { why, calls, kept, steps, answers, approved, plain } = SYNCING_GUIDE;
  return [
    'For sites that prove that they have seen the whole list before they remove anything.',
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
