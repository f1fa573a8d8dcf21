import type { RecordContext } from '../../../libs/connectors/src/kit/contracts';

/** The gateway's data that a connector reads in addition to the feed's bytes. */
export interface FeedSurroundings {
  settings?: Readonly<Record<string, string>>;
  feed?: Readonly<Record<string, unknown>>;
}

/** A context that records warnings. */
export function recordingContext(
  crm: string,
  { settings = {}, feed = {} }: FeedSurroundings = {},
): { context: RecordContext; warnings: string[]; setFeed(name: string, value: unknown): void } {
  const warnings: string[] = [];
  const values: Record<string, unknown> = { ...feed };
  return {
    context: {
      crm,
      settings,
      feed: values,
      warn: (code, field, value) => {
        warnings.push([code, field, value].filter((word) => word !== '').join(' '));
      },
    },
    warnings,
    setFeed(name, value) {
      values[name] = value;
    },
  };
}
