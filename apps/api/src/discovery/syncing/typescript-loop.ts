/** The same in TypeScript, for Node 20 or later. It has no template literals, for it stands in one. */
export const TYPESCRIPT_LOOP = String.raw`import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

interface Line {
  affId: string;
  empreinte: string;
  photos?: string;
}

const [base, crm, client, key, file] = process.argv.slice(2) as [string, string, string, string, string];
const deadlineMs = Date.now() + Number(process.env['SECONDS'] ?? 20) * 1000;
const state: { etag: string; have: Record<string, Line> } = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8'))
  : { etag: '', have: {} };

/** Half an answer throws: fetch checks the length, JSON its end. */
async function call(path: string, query: Record<string, string>, headers: Record<string, string> = {}, body?: object) {
  const address = base + path + '?' + new URLSearchParams({ crm, client, ...query }).toString();
  const response = await fetch(address, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { key, ...(body && { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  });
  if (response.status === 304) return null;
  const json: any = await response.json();
  if (response.status !== 200) {
    const retryAfter = response.headers.get('retry-after') ?? '?';
    throw new Error('answered ' + response.status + ': ' + json.message + ', retry after ' + retryAfter);
  }
  return { ...json, etag: response.headers.get('etag') ?? '' };
}

function save(): void {
  writeFileSync(file + '.new', JSON.stringify(state));
  renameSync(file + '.new', file);
}

async function sync(): Promise<void> {
  const manifest = await call('/v1/manifest', {}, state.etag === '' ? {} : { 'if-none-match': state.etag });
  if (manifest === null) return;
  const lines: Line[] = manifest.data;
  const hash = createHash('sha256');
  for (const { affId, empreinte, photos = '' } of lines) hash.update([affId, empreinte, photos].join('\t') + '\n');
  if (lines.length !== manifest.meta.total || hash.digest('hex') !== manifest.meta.hash) {
    throw new Error('the manifest is not whole');
  }

  const wanted = new Map(lines.map((line) => [line.affId, line]));
  const left = lines.filter(({ affId, empreinte }) => state.have[affId]?.empreinte !== empreinte);
  const counts = { added: 0, updated: 0, removed: 0 };
  for (let at = 0; at < left.length; at += 100) {
    const some = left.slice(at, at + 100);
    const ids = some.map(({ affId }) => encodeURIComponent(affId)).join(',');
    const page = await call('/v1/properties', { ids, snapshot: manifest.meta.snapshot });
    if (page.data.length !== some.length) throw new Error('properties are missing');
    for (const property of page.data) {
      counts[property.affId in state.have ? 'updated' : 'added'] += 1;
      store(property);
      state.have[property.affId] = wanted.get(property.affId)!;
    }
    save();
    if (Date.now() > deadlineMs) return;
  }
  for (const affId of Object.keys(state.have).filter((known) => !wanted.has(known))) {
    remove(affId);
    delete state.have[affId];
    counts.removed += 1;
  }
  state.etag = manifest.etag;
  save();
  const { snapshot } = manifest.meta;
  await call('/v1/report', {}, {}, { crm, client, status: 'success', count: lines.length, snapshot, ...counts });
}

function store(property: { affId: string }): void {
  console.log('store ' + property.affId);
}

function remove(affId: string): void {
  console.log('remove ' + affId);
}

await sync();
`;
