import { decodeCsv } from '@passerelle/operations';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../errors';
import { SecretInput } from './secret-input';

const folder = mkdtempSync(join(tmpdir(), 'secret-input-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const input = (text = 'from input\n') => new SecretInput({ readInput: () => Promise.resolve(Buffer.from(text)) });

describe('secret option', () => {
  it('may be given on the command line', async () => {
    const words = { source: 'https://crm.example', key: 'k', credential: ['token=t'], every: '5m' };
    expect(await input().resolve(words)).toEqual(words);
  });

  it('may be given in a file, whose last line end is ignored', async () => {
    const words = {
      sourceFile: file('source', 'https://crm.example/secret\n'),
      keyFile: file('key', 'key\r\n'),
      credential: ['user=u'],
      credentialFile: [`token=${file('token', 'a=b')}`, `private-key=${file('pem', 'BEGIN\nEND\n')}`],
    };
    expect(await input().resolve(words)).toEqual({
      source: 'https://crm.example/secret',
      key: 'key',
      credential: ['user=u', 'token=a=b', 'private-key=BEGIN\nEND'],
    });
  });

  it.each([
    [{ key: '-' }, { key: 'from input' }],
    [{ keyFile: '-' }, { key: 'from input' }],
    [{ source: '-' }, { source: 'from input' }],
    [{ credentialFile: ['token=-'] }, { credential: ['token=from input'] }],
  ])('may come from standard input: %j', async (words, resolved) => {
    expect(await input().resolve(words)).toEqual(resolved);
  });

  it.each([
    [{ key: 'k', keyFile: 'f' }, '--key and --key-file exclude each other'],
    [{ source: 's', sourceFile: 'f' }, '--source and --source-file exclude each other'],
    [{ credentialFile: ['token'] }, '--credential-file takes name=file'],
    [{ key: '-', credentialFile: ['token=-'] }, '--credential-file token and --key cannot both read standard input'],
    [{ keyFile: join(folder, 'absent') }, `--key-file: ${join(folder, 'absent')} cannot be read (ENOENT)`],
    [{ keyFile: folder }, `--key-file: ${folder} cannot be read (EISDIR)`],
  ])('is refused for %j', async (words, message) => {
    await expect(input().resolve(words)).rejects.toThrow(new UsageError(message));
  });

  it('comes from standard input as bytes, so that a file of Excel keeps its letters', async () => {
    const bytes = Buffer.from('crm;client\r\nkyero;château', 'latin1');
    const fromInput = new SecretInput({ readInput: () => Promise.resolve(bytes) });
    expect(decodeCsv(await fromInput.readBytes('--from', '-'))).toContain('château');
  });

  it('is refused when it is empty', async () => {
    await expect(input('\n').resolve({ key: '-' })).rejects.toThrow(new UsageError('--key: standard input is empty'));
  });
});
