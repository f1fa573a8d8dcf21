/**
 * Waits for a promise, but no longer than this.
 *
 * @param ms from now on; if it is not above 0, there is no wait
 * @param late makes the error when the time is over; the promise's later result is ignored
 */
export async function inTime<T>(asked: Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(late());
    }, ms);
  });
  // It may fail later, when no caller handles the error.
  asked.catch(() => undefined);
  try {
    return await Promise.race([asked, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
