/** @param ms from now on; with 0 or less it does not wait. @param late creates the error; a later result is ignored */
export async function inTime<T>(asked: Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(late());
    }, ms);
  });
  // Prevents an unhandled rejection after the time limit.
  asked.catch(() => undefined);
  try {
    return await Promise.race([asked, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
