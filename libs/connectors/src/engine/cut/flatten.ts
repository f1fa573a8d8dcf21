/** Flattens groups that are made on demand. A generator would need several microtasks for each element. */
export function flatten<T>(groups: AsyncGenerator<Iterable<T>, void, undefined>): AsyncIterableIterator<T> {
  return new Flattened(groups);
}

class Flattened<T> implements AsyncIterableIterator<T> {
  private group: Iterator<T> | null = null;

  constructor(private readonly groups: AsyncGenerator<Iterable<T>, void, undefined>) {}

  async next(): Promise<IteratorResult<T>> {
    for (;;) {
      try {
        const step = this.group?.next();
        if (step !== undefined && step.done !== true) return step;
      } catch (error) {
        await this.groups.return();
        throw error;
      }
      const { done, value } = await this.groups.next();
      if (done === true) return { done, value: undefined };
      this.group = value[Symbol.iterator]();
    }
  }

  async return(): Promise<IteratorResult<T>> {
    this.group = null;
    await this.groups.return();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
