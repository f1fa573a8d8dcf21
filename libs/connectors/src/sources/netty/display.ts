import type { JsonRecord } from '../../formats/json-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { scalarOf, textOf } from '../../kit/values';

/** The state that public clients call "on the market". The meanings of other states are not published. */
const ON_THE_MARKET = '1';

/** Returns why a product must be hidden. An unknown state hides it: it may be an estimate or a completed sale. */
export function withdrawalOf(record: JsonRecord, context: RecordContext): string | undefined {
  if (toFlag(scalarOf(record['deleted'])) === true) return 'deleted';
  if (toFlag(scalarOf(record['archived'])) === true) return 'archived';
  const state = textOf(record['state']);
  const shown = (context.settings['states'] ?? ON_THE_MARKET).split(/[\s,;]+/);
  if (state !== undefined && shown.includes(state)) return undefined;
  if (state === undefined) return 'the product has no state';
  context.warn('unknown_word', 'state', state.slice(0, 120));
  return `state is ${state.slice(0, 40)}`;
}

/** Whether street and point may be shown. The API does not say, so this needs a setting of the operator. */
export function showsAddress(context: RecordContext): boolean {
  return toFlag(context.settings['publier-adresse']) === true;
}
