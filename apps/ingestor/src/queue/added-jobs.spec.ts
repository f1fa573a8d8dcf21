import { AddedJobs } from './added-jobs';
import type { QueueState } from './queue-state';

describe('AddedJobs', () => {
  let state: QueueState;
  let answers: (() => void)[];
  const addBulk = jest.fn(
    () =>
      new Promise<never[]>((resolve) =>
        answers.push(() => {
          resolve([]);
        }),
      ),
  );
  let jobs: AddedJobs<{ id: number }>;

  beforeEach(() => {
    jest.useFakeTimers();
    addBulk.mockClear();
    answers = [];
    state = 'ok';
    jobs = new AddedJobs({ addBulk } as never, () => Promise.resolve(state));
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Adds a job. @returns its result within 11 seconds */
  async function add(): Promise<unknown> {
    const added = jobs.add([{ name: 'a job', data: { id: 1 } }]).then(
      () => 'added',
      (error: unknown) => String(error),
    );
    await jest.advanceTimersByTimeAsync(11_000);
    return added;
  }

  it('sends no more jobs while the store owes an answer, because the client would buffer the jobs', async () => {
    expect(await add()).toBe('Error: the queue does not answer');
    state = 'unavailable';
    for (let times = 0; times < 3; times += 1) expect(await add()).toBe('Error: the queue does not answer');
    expect(addBulk).toHaveBeenCalledTimes(1);

    answers[0]!();
    await jest.advanceTimersByTimeAsync(0);
    const added = jobs.add([]);
    await jest.advanceTimersByTimeAsync(0);
    answers[1]!();
    await added;
    expect(addBulk).toHaveBeenCalledTimes(2);
  });

  it('sends jobs again when the store answers other requests, because the last answer was lost', async () => {
    await add();
    await add();
    expect(addBulk).toHaveBeenCalledTimes(2);
  });
});
