/** One value of a metric; null where there is none, and then there is no line either. */
export interface Sample {
  labels: Readonly<Record<string, string>>;
  value: number | null;
}

/** What a metric is called and means; docs/operations.md has the same list. */
export interface MetricHead {
  /** Ends in its unit where it has one, and in `_total` when it only grows. */
  name: string;
  help: string;
  /** Besides `connector`. */
  labels?: readonly string[];
}
