/** Code for Node 20 or later, without template literals, because a template literal contains it. */
export const TYPESCRIPT_LOOP = String.raw`import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

interface Line {
  affId: string;
  empreinte: string;
  photos?: string;
}

interface Property {
  affId: string;
}

interface Answer<Data> {
  data?: Data;
  meta?: { total: number; snapshot: string; hash: string };
  message?: string;
  detail?: { reason?: string };
}

const [base, crm, client, key, file] = process.argv.slice(2) as [string, string, string, string, string];
const deadlineMs = Date.now() + Number(process.env['SECONDS'] ?? 20) * 1000;
const state: { token: string; etag: string; have: Record<string, Line> } = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8'))
  : { token: '', etag: '', have: {} };
const counts = { added: 0, updated: 0, removed: 0 };
let approved = new Set<string>();

/** Throws for an incomplete answer: fetch checks the length, JSON its end. */
async function call<Data>(method: string, path: string, query: object, headers: object = {}, body?: object) {
  const address = base + path + '?' + new URLSearchParams({ crm, client, ...query }).toString();
  const response = await fetch(address, {
    method,
    headers: { key, ...(body && { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  });
  const { status } = response;
  const json = (method === 'HEAD' || status === 304 ? {} : await response.json()) as Answer<Data>;
  const isExpired = json.detail?.reason === 'expired';
  if (status !== 200 && status !== 304 && !isExpired) {
    const retryAfter = response.headers.get('retry-after') ?? '?';
    throw new Error('answered ' + status + ': ' + (json.message ?? '') + ', retry after ' + retryAfter);
  }
  const snapshot = response.headers.get('x-snapshot') ?? '';
  return { ...json, status, isExpired, snapshot, etag: response.headers.get('etag') ?? '' };
}

function save(): void {
  writeFileSync(file + '.new', JSON.stringify(state));
  renameSync(file + '.new', file);
}

/** Called before a property is stored: a stored property without a record would never be removed. */
function announce(ids: string[]): void {
  for (const affId of ids) {
    counts[Object.hasOwn(state.have, affId) ? 'updated' : 'added'] += 1;
    state.have[affId] = { affId, empreinte: '' };
  }
  save();
}

function drop(affId: string): void {
  remove(affId);
  delete state.have[affId];
  counts.removed += 1;
}

/** The gateway holds its own lists back with the same limits. */
function isMassRemoval(removed: number, of: number): boolean {
  return removed > 0 && (removed >= of || (removed > 5 && removed > of * 0.2) || (of >= 4 && removed > of / 2));
}

/** Applies a few changes since the stored snapshot. After an interruption the client compares with the manifest next time. */
async function applyChanges(snapshot: string): Promise<boolean> {
  const query = { since: state.token, snapshot, per_page: '200' };
  const changes = await call<(Line & { change: string; approved?: boolean; property: Property })[]>('GET', '/v1/changes', query);
  const { data: list = [], meta } = changes;
  // Another list without a change, or changes whose number is wrong, prove nothing; the manifest does.
  const count = new Set(list.map(({ affId }) => affId)).size;
  if (count === 0 || count !== list.length || count !== meta?.total || meta.snapshot !== snapshot) return false;
  const removals = list.filter(({ change }) => change === 'removed');
  approved = new Set(removals.filter((one) => one.approved).map(({ affId }) => affId));
  // The comparison then holds the removal back.
  if (isMassRemoval(removals.length - approved.size, Object.keys(state.have).length)) return false;
  const come = list.filter(({ change }) => change !== 'removed');
  state.token = '';
  announce(come.map(({ affId }) => affId));
  for (const { affId, empreinte, photos = '', property } of come) {
    store(property);
    state.have[affId] = { affId, empreinte, photos };
  }
  for (const { affId, change } of list) if (change === 'removed') drop(affId);
  return true;
}

/** Stores and removes what differs from the manifest, until the time is over. */
async function compare(): Promise<{ snapshot: string; etag: string } | null> {
  const manifest = await call<Line[]>('GET', '/v1/manifest', {});
  const { data: lines = [], meta } = manifest;
  const hash = createHash('sha256');
  for (const { affId, empreinte, photos = '' } of lines) hash.update([affId, empreinte, photos].join('\t') + '\n');
  if (lines.length !== meta?.total || hash.digest('hex') !== meta.hash) {
    throw new Error('the manifest is incomplete');
  }
  const wanted = new Map(lines.map((line) => [line.affId, line]));
  const have = Object.keys(state.have);
  const gone = have.filter((affId) => !wanted.has(affId));
  const doubtful = gone.filter((affId) => !approved.has(affId)).length;
  // Before anything is added: additions must not hide how much the list takes away.
  if (isMassRemoval(doubtful, have.length) && process.env['CONFIRM_REMOVAL'] !== String(doubtful)) {
    throw new Error('held: ' + doubtful + ' of ' + have.length + ' listings would be removed');
  }
  const left = lines.filter(({ affId, empreinte }) => state.have[affId]?.empreinte !== empreinte);
  for (let at = 0; at < left.length; at += 100) {
    const some = left.slice(at, at + 100);
    const asked = new Set(some.map(({ affId }) => affId));
    const ids = [...asked].map(encodeURIComponent).join(',');
    const page = await call<Property[]>('GET', '/v1/properties', { ids, snapshot: manifest.snapshot });
    const found = (page.data ?? []).filter(({ affId }) => asked.has(affId));
    if (new Set(found.map(({ affId }) => affId)).size !== asked.size) throw new Error('properties are missing');
    announce([...asked]);
    for (const property of found) {
      store(property);
      state.have[property.affId] = wanted.get(property.affId)!;
    }
    save();
    if (Date.now() > deadlineMs) return null;
  }
  for (const affId of gone) drop(affId);
  return manifest;
}

async function sync(): Promise<void> {
  let reached: { snapshot: string; etag: string } | null = null;
  if (state.token !== '') {
    const head = await call('HEAD', '/v1/manifest', {}, { 'if-none-match': state.etag });
    if (head.status === 304) return;
    if (await applyChanges(head.snapshot)) reached = head;
  }
  reached ??= await compare();
  if (reached === null) return;
  const { snapshot } = reached;
  Object.assign(state, { token: snapshot, etag: reached.etag });
  save();
  const count = Object.keys(state.have).length;
  await call('POST', '/v1/report', {}, {}, { crm, client, status: 'success', count, snapshot, ...counts });
}

function store(property: Property): void {
  console.log('store ' + property.affId);
}

function remove(affId: string): void {
  console.log('remove ' + affId);
}

await sync();
`;
