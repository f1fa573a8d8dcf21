import { Histogram, type HistogramConfiguration } from 'prom-client';

/** How long answers of one kind took. */
export class Times {
  sum = 0;
  /** By bucket, not added up; the last has those that no bucket holds. */
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

type Exposed = Awaited<ReturnType<Histogram['get']>>;

/**
 * The library's histogram finds the labels of what it is told anew each time, which makes a page from memory 5 % slower.
 * This one hands out what counts, and puts labels to it when somebody scrapes.
 */
export class AnswerTimes extends Histogram {
  private readonly series: { labels: Record<string, string>; times: Times }[] = [];

  /** Says what it is, and holds nothing. */
  private readonly empty: Histogram;

  constructor(private readonly configuration: HistogramConfiguration<string> & { buckets: number[] }) {
    super(configuration);
    this.empty = new Histogram({ ...configuration, registers: [] });
  }

  /** What counts the answers that have these labels; to be kept by who tells it. */
  timesOf(labels: Record<string, string>): Times {
    const times = new Times(this.configuration.buckets);
    this.series.push({ labels, times });
    return times;
  }

  override async get(): Promise<Exposed> {
    return { ...(await this.empty.get()), values: this.series.flatMap((one) => this.exposed(one)) };
  }

  /** What the registry asks for in place of `get`. */
  getForPromString(): Promise<Exposed> {
    return this.get();
  }

  private exposed({ labels, times: { counts, sum } }: AnswerTimes['series'][number]): Exposed['values'] {
    const { name, buckets } = this.configuration;
    let count = 0;
    const upTo = [...buckets, '+Inf'].map((le, bucket) => {
      count += counts[bucket] ?? 0;
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
    });
    // One that has counted nothing is not there.
    if (count === 0) return [];
    const whole = { sum, count };
    return [
      ...upTo,
      ...(['sum', 'count'] as const).map((of) => ({ metricName: `${name}_${of}`, labels, value: whole[of] })),
    ];
  }
}
