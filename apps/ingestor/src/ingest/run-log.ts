import type { RequestMade } from '@passerelle/connectors';
import { STORED_LOG_LINES, type StoredLogLine } from '@passerelle/domain';
import type { RunSteps } from '@passerelle/traces';
import type { Logger } from 'pino';

type Fields = Readonly<Record<string, unknown>>;

/** The newest lines are stored with the run. An error's message is only logged: it may contain private data. */
export class RunLog {
  private readonly lines: StoredLogLine[] = [];
  private characters = 0;
  /** The number of dropped lines before the stored lines. */
  earlier = 0;
  hasWarned = false;

  constructor(
    private readonly log: Logger,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** Oldest first. */
  get kept(): readonly StoredLogLine[] {
    return this.lines;
  }

  /** Adds a line that the ingestor's log has only at `LOG_LEVEL=debug`. */
  debug(fields: Fields, text: string): void {
    this.log.debug(fields, text);
    this.keep('debug', fields, text);
  }

  info(fields: Fields, text: string): void {
    this.log.info(fields, text);
    this.keep('info', fields, text);
  }

  warn(fields: Fields, text: string, error?: unknown): void {
    this.log.warn({ ...fields, err: error }, text);
    this.hasWarned = true;
    this.keep('warn', fields, text);
  }

  /** The figures go only to the ingestor's log, because the run's row already stores them. */
  ended(ms: number, result: Fields, text: string): void {
    this.log.info({ ms, ...result }, text);
    this.keep('info', { ms }, text);
  }

  /** Adds the duration of each step, as one line at the end, because a run is kept for 90 days. */
  noteSteps({ list }: RunSteps): void {
    if (list.length === 0) return;
    const stepsMs = Object.fromEntries(list.map(({ name, startMs, endMs }) => [name, endMs - startMs]));
    this.debug({ stepsMs }, 'steps, in ms:');
  }

  noteRequest({ shown, status, bytes, ms, failure }: RequestMade): void {
    const fields = { ...(status !== null && { status }), bytes, ms, ...(failure !== null && { failure }) };
    if (failure === null) this.debug(fields, `asked ${shown}`);
    else this.warn(fields, `asked ${shown} in vain`);
  }

  private keep(level: StoredLogLine['level'], fields: Fields, text: string): void {
    const line = { at: this.now().toISOString(), level, text: oneLine([text, ...inWords(fields)].join(' ')) };
    this.lines.push(line);
    this.characters += line.text.length;
    while (this.lines.length > STORED_LOG_LINES.most || this.characters > STORED_LOG_LINES.inAll) {
      this.characters -= this.lines.shift()?.text.length ?? 0;
      this.earlier += 1;
    }
  }
}

/** `name=value` for each field; an object's fields are listed one by one. */
function inWords(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    if (typeof value === 'object') return inWords(value as Fields);
    return [`${name}=${JSON.stringify(value)}`];
  });
}

function oneLine(text: string): string {
  const plain = text.replace(/\p{Cc}+/gu, ' ');
  const short =
    plain.length <= STORED_LOG_LINES.characters ? plain : `${plain.slice(0, STORED_LOG_LINES.characters - 1)}…`;
  // PostgreSQL refuses half of a surrogate pair.
  return Buffer.from(short).toString();
}
