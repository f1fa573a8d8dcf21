import type { RecordContext } from '../contracts';
import type { FeedSurroundings } from './read-records';

/** A context that remembers what was noticed. */
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
