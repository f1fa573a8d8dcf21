/** How long responses of one kind took. */
export class Times {
  sum = 0;
  /** Per bucket, not cumulative; the last one is for values beyond all buckets. */
  readonly counts: number[];

  constructor(private readonly bounds: readonly number[]) {
    this.counts = [...bounds, Infinity].map(() => 0);
  }

  observe(seconds: number): void {
    let bucket = 0;
    while (seconds > (this.bounds[bucket] ?? Infinity)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sum += seconds;
  }
}

/**
 * A histogram in Prometheus's text format. The library's histogram looks up the labels for every value; this one returns counters
 * for a set of labels, and adds the labels during a scrape.
 */
export class AnswerTimes {
  private readonly series: { labels: string; times: Times }[] = [];

  constructor(
    private readonly name: string,
    private readonly help: string,
    private readonly bounds: readonly number[],
  ) {}

  /** The counter for these labels; the caller keeps it. @param labels fixed words, never input */
  timesOf(labels: Readonly<Record<string, string>>): Times {
    const times = new Times(this.bounds);
    const text = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    this.series.push({ labels: text.join(','), times });
    return times;
  }

  text(): string {
    const lines = this.series.flatMap((one) => this.linesOf(one));
    return [`# HELP ${this.name} ${this.help}`, `# TYPE ${this.name} histogram`, ...lines, ''].join('\n');
  }

  private linesOf({ labels, times: { counts, sum } }: AnswerTimes['series'][number]): string[] {
    const { name, bounds } = this;
    let count = 0;
    const buckets = [...bounds, '+Inf'].map((le, bucket) => {
      count += counts[bucket] ?? 0;
      return `${name}_bucket{le="${le}",${labels}} ${count}`;
    });
    // A counter without values is omitted.
    return count === 0 ? [] : [...buckets, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`];
  }
}
