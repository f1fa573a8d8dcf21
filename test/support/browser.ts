import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { commandOnPath } from './command-on-path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** The command of a browser that tests can drive; null when the machine has none. */
export const BROWSER = NAMES.find(commandOnPath) ?? null;

interface Message {
  id?: number;
  method?: string;
  /** The session of the page that sent the event. */
  sessionId?: string;
  params?: unknown;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** A real headless browser, controlled through its pipe: https://chromedevtools.github.io/devtools-protocol. */
export class Browser {
  private readonly answers = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  private readonly events = new EventEmitter();
  private calls = 0;

  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {
    let rest = '';
    (child.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => {
      const messages = (rest + text).split('\0');
      rest = messages.pop() ?? '';
      for (const message of messages) this.take(JSON.parse(message) as Message);
    });
    child.once('exit', () => {
      for (const { reject } of this.answers.values()) reject(new Error('the browser is gone'));
    });
  }

  /** @throws Error if the machine has no browser */
  static async launch(): Promise<Browser> {
    if (BROWSER === null) throw new Error(`none of ${NAMES.join(', ')} is on the PATH`);
    const folder = await mkdtemp(join(tmpdir(), 'browser-'));
    const flags = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--remote-debugging-pipe',
      `--user-data-dir=${folder}`,
    ];
    const child = spawn(BROWSER, [...flags, 'about:blank'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    await once(child, 'spawn');
    return new Browser(child, folder);
  }

  /**
   * Opens a URL in a window of the given size, and returns when the page has loaded.
   * @param prepare changes the page before it loads anything
   */
  async open(
    url: string,
    size: { width: number; height: number },
    prepare: (page: BrowserPage) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<BrowserPage> {
    const { targetId } = await this.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
    const page = new BrowserPage((method, params) => this.send(method, params, sessionId));
    const loaded = new Promise<void>((resolve) => {
      this.events.on(sessionId, ({ method, params }: Message) => {
        page.note(method ?? '', params);
        if (method === 'Page.loadEventFired') resolve();
      });
    });
    for (const domain of ['Page', 'Runtime', 'Log']) await page.send(`${domain}.enable`);
    const isPhone = size.width < 600;
    await page.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: isPhone });
    await prepare(page);
    await page.send('Page.navigate', { url });
    await loaded;
    return page;
  }

  async close(): Promise<void> {
    const gone = once(this.child, 'exit');
    this.child.kill();
    await gone;
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private send<Result>(method: string, params: object = {}, sessionId?: string): Promise<Result> {
    this.calls += 1;
    const id = this.calls;
    const pending = new Promise<Result>((resolve, reject) => this.answers.set(id, { resolve, reject }));
    (this.child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return pending;
  }

  private take(message: Message): void {
    if (message.id === undefined) {
      this.events.emit(message.sessionId ?? '', message);
      return;
    }
    const waiting = this.answers.get(message.id);
    this.answers.delete(message.id);
    if (message.error === undefined) waiting?.resolve(message.result as never);
    else waiting?.reject(new Error(message.error.message));
  }
}

/** A page in a browser. */
export class BrowserPage {
  /** Errors on the page's console. */
  readonly errors: string[] = [];

  constructor(readonly send: (method: string, params?: object) => Promise<unknown>) {}

  /**
   * Evaluates an expression in the page, and waits if the value is a promise. @returns the value. @throws Error if the
   * expression throws
   */
  async evaluate(expression: string): Promise<unknown> {
    const answer = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    const { result, exceptionDetails } = answer as { result: { value?: unknown }; exceptionDetails?: object };
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails).slice(0, 1_000));
    return result.value;
  }

  note(method: string, params: unknown): void {
    const isError =
      method === 'Runtime.exceptionThrown' ||
      (method === 'Log.entryAdded' && (params as { entry: { level: string } }).entry.level === 'error') ||
      (method === 'Runtime.consoleAPICalled' && (params as { type: string }).type === 'error');
    if (isError) this.errors.push(JSON.stringify(params).slice(0, 500));
  }
}
