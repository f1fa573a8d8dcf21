import { noFigures, RetryLater } from '@passerelle/domain';
import { runFailure, WorkersLost } from './run-failure';
import { RunStopped } from './run-watch';

const OPTIONS = { runTimeoutMs: 600_000, holder: 'ingestor-1' };

const ending = (cause: unknown) => runFailure(cause, noFigures(), OPTIONS);

/** An error in the form of Node's and PostgreSQL's errors. */
const fault = (code: string, options?: ErrorOptions): Error =>
  Object.assign(new Error(`with a secret: ${code}`, options), { code });

describe('runFailure', () => {
  it.each([
    ['ENOSPC', 'the disk of the ingestor is full'],
    ['53100', 'the disk of PostgreSQL is full'],
    ['25006', 'PostgreSQL takes no writes: it is a standby, or set to read only'],
  ])('names a fault that a person can fix: %s', (code, sentence) => {
    expect(ending(fault(code))).toMatchObject({
      ...{ state: 'failed', reasonCode: 'internal', reason: `${sentence} (${code}); the log of ingestor-1 has more` },
    });
  });

  it('finds the fault in the cause of another error', () => {
    const wrapped = new Error('the spool cannot be written', { cause: fault('ENOSPC') });
    expect(ending(wrapped).reason).toContain('the disk of the ingestor is full');
  });

  it('names the ingestor whose log has the details, and does not repeat the message of the error', () => {
    const { reason } = ending(fault('EWHATEVER'));
    expect(reason).toBe('an internal error: the log of ingestor-1 has it');
  });

  it('reports how many workers stopped during the run', () => {
    expect(ending(new WorkersLost(3)).reason).toBe(
      '3 workers stopped in the middle of this run: were they killed for their memory?',
    );
  });
});

it('runFailure names the time limit of a run that took too long', () => {
  expect(ending(new RunStopped('deadline'))).toMatchObject({
    ...{ reasonCode: 'deadline', reason: 'the run took longer than 10 minutes' },
  });
});

it('runFailure keeps the code and the message of an unreadable feed', () => {
  expect(ending(new RetryLater('HTTP 503'))).toMatchObject({ reasonCode: 'retry', reason: 'HTTP 503' });
});
