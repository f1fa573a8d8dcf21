import { readFile } from 'node:fs/promises';
import { UsageError } from '../errors';
import type { Terminal } from '../terminal';

/** Secrets on the command line, where the history and other users can see them, or in a file. */
export interface SecretOptions {
  source?: string;
  sourceFile?: string;
  key?: string;
  keyFile?: string;
  credential?: string[];
  credentialFile?: string[];
}

/** Means standard input instead of a file's path or a secret. */
const INPUT = '-';

export class SecretInput {
  private reader: string | null = null;

  constructor(private readonly terminal: Pick<Terminal, 'readInput'>) {}

  async read(option: string, path: string): Promise<string> {
    return (await this.readBytes(option, path)).toString('utf8');
  }

  /** Reads a file, or standard input for `-`. @throws UsageError, which names the option but quotes no content. */
  async readBytes(option: string, path: string): Promise<Buffer> {
    try {
      return path === INPUT ? await this.readInput(option) : await readFile(path);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      const code =
        typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'no reason given';
      throw new UsageError(`${option}: ${path} cannot be read (${code})`);
    }
  }

  /** @throws UsageError for a secret that is given twice, or cannot be read. */
  async resolve<Words extends SecretOptions>({
    sourceFile,
    keyFile,
    credentialFile,
    ...words
  }: Words): Promise<Omit<Words, 'sourceFile' | 'keyFile' | 'credentialFile'>> {
    const source = await this.one('--source', words.source, sourceFile);
    const key = await this.one('--key', words.key, keyFile);
    const credentials: string[] = [];
    for (const text of credentialFile ?? []) {
      const at = text.indexOf('=');
      if (at < 1) throw new UsageError('--credential-file takes name=file');
      const [name, path] = [text.slice(0, at), text.slice(at + 1)];
      credentials.push(`${name}=${await this.secret(`--credential-file ${name}`, path)}`);
    }
    return {
      ...words,
      ...(source !== undefined && { source }),
      ...(key !== undefined && { key }),
      ...(credentials.length > 0 && { credential: [...(words.credential ?? []), ...credentials] }),
    };
  }

  private async one(option: string, text: string | undefined, path: string | undefined): Promise<string | undefined> {
    if (text !== undefined && path !== undefined)
      throw new UsageError(`${option} and ${option}-file exclude each other`);
    if (path !== undefined) return this.secret(`${option}-file`, path);
    return text === INPUT ? this.secret(option, INPUT) : text;
  }

  /** The content without the line end that editors and `echo` append. */
  private async secret(option: string, path: string): Promise<string> {
    const text = (await this.read(option, path)).replace(/\r?\n$/, '');
    if (text === '') throw new UsageError(`${option}: ${path === INPUT ? 'standard input' : path} is empty`);
    return text;
  }

  private async readInput(option: string): Promise<Buffer> {
    if (this.reader !== null) throw new UsageError(`${option} and ${this.reader} cannot both read standard input`);
    this.reader = option;
    return this.terminal.readInput();
  }
}
