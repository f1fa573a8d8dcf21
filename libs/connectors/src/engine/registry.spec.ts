import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadRegistry } from './registry';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'registry-spec-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

function aSource(folder: string, connector: Record<string, unknown> = {}): void {
  const whole = {
    code: folder,
    label: 'x',
    type: 'xml',
    notes: 'x',
    version: 1,
    credentials: {},
    settings: {},
    fetch: {},
    open: {},
    format: {},
  };
  mkdirSync(join(directory, folder));
  const map = 'map' in connector ? '' : ', map: () => undefined';
  const json = JSON.stringify({ ...whole, ...connector });
  writeFileSync(join(directory, folder, 'connector.js'), `exports.connector = { ...${json}${map} };`);
}

describe('loadRegistry', () => {
  it('finds a connector in each folder, sorted by code', async () => {
    aSource('kyero');
    aSource('apimo');
    const registry = await loadRegistry(directory);
    expect(registry.list().map(({ code }) => code)).toEqual(['apimo', 'kyero']);
    expect(registry.get('kyero')?.code).toBe('kyero');
    expect(registry.get('constructor')).toBeUndefined();
  });

  it('reports an incomplete folder in a one-line error', async () => {
    mkdirSync(join(directory, 'poliris'));
    await expect(loadRegistry(directory)).rejects.toThrow(new Error('sources/poliris has no connector.ts'));
  });

  it.each([
    [
      'a connector whose code differs from its folder',
      'kyero',
      { code: 'apimo' },
      'sources/kyero exports the connector "apimo": code and folder must be the same',
    ],
    [
      'a connector with missing members',
      'kyero',
      { notes: undefined, format: null },
      'sources/kyero exports a connector without notes, format',
    ],
    [
      'a folder name that is not a valid code',
      'Kyero_V3',
      {},
      'sources/Kyero_V3 is not a connector code: use lower-case letters, digits and hyphens',
    ],
  ])('refuses %s', async (_what, folder, connector, message) => {
    aSource(folder, connector);
    await expect(loadRegistry(directory)).rejects.toThrow(new Error(message));
  });

  it('refuses a module without the export `connector`', async () => {
    mkdirSync(join(directory, 'kyero'));
    writeFileSync(join(directory, 'kyero', 'connector.js'), 'exports.other = {};');
    await expect(loadRegistry(directory)).rejects.toThrow(/does not export "connector"/);
  });
});
