import type { RequestMade } from '@passerelle/connectors';
import { KEPT_LINES, type KeptLine } from '@passerelle/domain';
import type { RunSteps } from '@passerelle/traces';
import type { Logger } from 'pino';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What is logged about one run: the ingestor's log gets each line, and the newest are kept with the run. An error's own words go
 * to the log alone, for they may hold anything.
 */
export class RunLog {
  private readonly lines: KeptLine[] = [];
  private characters = 0;
  /** How many lines came before those that are kept. */
  earlier = 0;
  /** Whether one of them warns. */
  hasWarned = false;

  constructor(
    private readonly log: Logger,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** Oldest first. */
  get kept(): readonly KeptLine[] {
    return this.lines;
  }

  /** In the ingestor's log for those who ask for it (`LOG_LEVEL=debug`). */
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

  /** How it ended. Its figures are the run's: the ingestor's log has them all, and they are not kept twice. */
  ended(ms: number, result: Fields, text: string): void {
    this.log.info({ ms, ...result }, text);
    this.keep('info', { ms }, text);
  }

  /** What took how long, once it is over: one line, for a run is kept for 90 days. */
  noteSteps({ list }: RunSteps): void {
    if (list.length === 0) return;
    const stepsMs = Object.fromEntries(list.map(({ name, startMs, endMs }) => [name, endMs - startMs]));
    this.debug({ stepsMs }, 'steps, in ms:');
  }

  /** A request to the source that is over. */
  noteRequest({ shown, status, bytes, ms, failure }: RequestMade): void {
    const fields = { ...(status !== null && { status }), bytes, ms, ...(failure !== null && { failure }) };
    if (failure === null) this.debug(fields, `asked ${shown}`);
    else this.warn(fields, `asked ${shown} in vain`);
  }

  private keep(level: KeptLine['level'], fields: Fields, text: string): void {
    const line = { at: this.now().toISOString(), level, text: oneLine([text, ...inWords(fields)].join(' ')) };
    this.lines.push(line);
    this.characters += line.text.length;
    while (this.lines.length > KEPT_LINES.most || this.characters > KEPT_LINES.inAll) {
      this.characters -= this.lines.shift()?.text.length ?? 0;
      this.earlier += 1;
    }
  }
}

/** `name=value` for each field; of what has fields of its own, those. */
function inWords(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    if (typeof value === 'object') return inWords(value as Fields);
    return [`${name}=${JSON.stringify(value)}`];
  });
}

function oneLine(text: string): string {
  const plain = text.replace(/\p{Cc}+/gu, ' ');
  const short = plain.length <= KEPT_LINES.characters ? plain : `${plain.slice(0, KEPT_LINES.characters - 1)}…`;
  // The database takes no half of a character.
  return Buffer.from(short).toString();
}
