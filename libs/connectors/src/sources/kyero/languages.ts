import { languagesOf } from '../../kit/by-language';
import type { RecordContext } from '../../kit/contracts';

/** Descriptions, titles and captions of a Spanish market: Spanish comes ahead of what else the feed has. */
export function wantedLanguages(context: RecordContext): readonly string[] {
  return languagesOf(context.settings, 'es');
}
