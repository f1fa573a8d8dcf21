import type { Clock } from '../tokens';

/** What is loaded at most once in a time, however many ask for it. */
export class Kept<Value> {
  private kept: { value: Promise<Value>; atMs: number } | null = null;

  constructor(
    private readonly keptMs: number,
    private readonly clock: Clock,
    private readonly load: () => Promise<Value>,
  ) {}

  async get(): Promise<Value> {
    const atMs = this.clock().getTime();
    if (this.kept !== null && atMs - this.kept.atMs < this.keptMs) return this.kept.value;
    const value = this.load();
    this.kept = { value, atMs };
    value.catch(() => {
      this.forget();
    });
    return value;
  }

  /** The next who asks gets it as it is then. */
  forget(): void {
    this.kept = null;
  }
}
