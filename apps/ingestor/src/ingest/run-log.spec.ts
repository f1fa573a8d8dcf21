import { STORED_LOG_LINES } from '@passerelle/domain';
import pino from 'pino';
import { RunLog } from './run-log';

const NOW = new Date('2026-11-24T12:00:00Z');

function logged(level = 'info') {
  const written: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void written.push(JSON.parse(line) as Record<string, unknown>) };
  return { log: new RunLog(pino({ level, base: { run: 7 } }, stream), () => NOW), written };
}

describe('RunLog', () => {
  it("keeps each line with its figures, and writes lines with the run's fields", () => {
    const { log, written } = logged();
    log.debug({ ms: 3 }, 'judge');
    log.warn({ figures: { records: 2, added: 1 }, reason: null }, 'odd');
    expect(log.kept).toEqual([
      { at: NOW.toISOString(), level: 'debug', text: 'judge ms=3' },
      { at: NOW.toISOString(), level: 'warn', text: 'odd records=2 added=1' },
    ]);
    expect(written).toEqual([expect.objectContaining({ run: 7, msg: 'odd', figures: { records: 2, added: 1 } })]);
  });

  it("stores the last line without the figures of the run's row, and logs the line with all figures", () => {
    const { log, written } = logged();
    log.ended(5, { state: 'published', records: 2 }, 'run published');
    expect(log.kept.map(({ text }) => text)).toEqual(['run published ms=5']);
    expect(written).toEqual([expect.objectContaining({ run: 7, msg: 'run published', ms: 5, records: 2 })]);
  });

  it('does not keep the message of an error, which may contain private data', () => {
    const { log, written } = logged();
    log.warn({ reason: 'an internal error' }, 'run failed', new Error('postgres://name:secret@host is away'));
    expect(log.kept.map(({ text }) => text)).toEqual(['run failed reason="an internal error"']);
    expect(JSON.stringify(written)).toContain('secret');
  });

  it('keeps the newest lines, up to a number of lines and of characters', () => {
    const { log } = logged('silent');
    for (let line = 1; line <= STORED_LOG_LINES.most + 5; line += 1) log.debug({ line }, 'asked');
    expect([log.kept.length, log.kept[0]?.text, log.earlier]).toEqual([STORED_LOG_LINES.most, 'asked line=6', 5]);
    for (let line = 0; line < STORED_LOG_LINES.most; line += 1)
      log.debug({}, 'é'.repeat(2 * STORED_LOG_LINES.characters));
    const sizes = log.kept.map(({ text }) => text.length);
    expect(Math.max(...sizes)).toBe(STORED_LOG_LINES.characters);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(STORED_LOG_LINES.inAll);
    expect(log.kept.length + log.earlier).toBe(2 * STORED_LOG_LINES.most + 5);
  });

  it('turns any response of a source into one line, without splitting a character', () => {
    const { log } = logged('silent');
    log.noteRequest({ shown: 'https://a/\u0000b\nc', status: 500, bytes: 3, ms: 8, failure: `${'x'.repeat(600)}😀` });
    log.debug({}, `${'y'.repeat(STORED_LOG_LINES.characters - 2)}😀z`);
    expect(log.kept[0]?.text).toMatch(/^asked https:\/\/a\/ b c in vain status=500 bytes=3 ms=8 failure="x+…$/);
    expect(log.kept[1]?.text.endsWith('y\ufffd…')).toBe(true);
  });
});
