import { PassThrough } from 'node:stream';
import { openLog } from './access-log';

describe('openLog', () => {
  it('buffers response lines briefly, and writes every other line immediately, after the buffered ones', async () => {
    const out = new PassThrough();
    const { logger, answers } = openLog('info', out);
    answers.info('one');
    answers.info('two');
    expect(out.read()).toBeNull();
    logger.info('said');
    expect(String(out.read())).toMatch(/^\{.*"msg":"one"\}\n\{.*"msg":"two"\}\n\{.*"msg":"said"\}\n$/);
    answers.info('three');
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(String(out.read())).toContain('"three"');
  });

  it('writes immediately when the buffered lines are long', () => {
    const out = new PassThrough();
    openLog('info', out).answers.info('x'.repeat(5_000));
    expect(String(out.read())).toContain('x'.repeat(5_000));
  });

  it('neither ends nor blocks the process when its reader is gone', () => {
    const out = new PassThrough();
    const { logger } = openLog('info', out);
    out.destroy(Object.assign(new Error('broken pipe'), { code: 'EPIPE' }));
    expect(() => {
      logger.info('said');
    }).not.toThrow();
  });
});
