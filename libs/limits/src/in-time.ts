/**
 * Waits for something, and for no longer than this.
 *
 * @param ms from now on; nothing is waited for where it is not above 0
 * @param late what is said when the time is over; what comes of what was waited for is nobody's then
 */
export async function inTime<T>(asked: Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(late());
    }, ms);
  });
  // It may fail later, and then it is nobody's.
  asked.catch(() => undefined);
  try {
    return await Promise.race([asked, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
