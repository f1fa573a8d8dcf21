import { PassThrough } from 'node:stream';
import { openLog } from './access-log';

describe('openLog', () => {
  it('buffers response lines briefly, and writes every other line immediately, after the buffered ones', async () => {
    const out = new PassThrough();
    const { logger, answers } = openLog('info', out);
    answers.write('one\n');
    answers.write('two\n');
    expect(out.read()).toBeNull();
    logger.info('said');
    expect(String(out.read())).toMatch(/^one\ntwo\n\{.*"msg":"said"\}\n$/);
    answers.write('three\n');
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(String(out.read())).toBe('three\n');
  });

  it('writes immediately when the buffered lines are long', () => {
    const out = new PassThrough();
    openLog('info', out).answers.write('x'.repeat(5_000));
    expect(String(out.read())).toContain('x'.repeat(5_000));
  });

  it('neither ends nor blocks the process when the reader of the log is gone', () => {
    const out = new PassThrough();
    const { logger } = openLog('info', out);
    out.destroy(Object.assign(new Error('broken pipe'), { code: 'EPIPE' }));
    expect(() => {
      logger.info('said');
    }).not.toThrow();
  });
});
