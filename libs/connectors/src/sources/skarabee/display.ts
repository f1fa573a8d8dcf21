import type { XmlRecord } from '../../formats/xml-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { FLOW_STATUSES, type Showing, STATUSES } from './lookups';

const at = {
  enabled: compilePath('Info.Enabled'),
  active: compilePath('Property.Active'),
  status: compilePath('Property.Status'),
  flow: compilePath('Property.FlowStatus'),
  conditional: compilePath('Property.ConditionalSold'),
  hideAddress: compilePath('Info.HideAddress'),
  hideNumber: compilePath('Info.HideHouseNumber'),
};

const flagAt = (read: (record: unknown) => unknown, record: XmlRecord): boolean | undefined =>
  toFlag(scalarOf(read(record)));

function showingsOf(record: XmlRecord, context: RecordContext): Showing[] {
  return [
    lookUp(STATUSES, textOf(at.status(record)), 'Property.Status', context) ?? {},
    lookUp(FLOW_STATUSES, textOf(at.flow(record)), 'Property.FlowStatus', context) ?? {},
  ];
}

/** Returns why a publication must be hidden, or undefined if it may be shown. An unknown status does not hide it. */
export function withdrawalOf(record: XmlRecord, context: RecordContext): string | undefined {
  if (flagAt(at.enabled, record) === false) return 'Info.Enabled: no';
  if (flagAt(at.active, record) === false) return 'Property.Active: no';
  return showingsOf(record, context).find(({ withdrawn }) => withdrawn !== undefined)?.withdrawn;
}

export function isUnderOffer(record: XmlRecord, context: RecordContext): true | undefined {
  if (flagAt(at.conditional, record) === true) return true;
  const silent = { ...context, warn: () => undefined };
  return showingsOf(record, silent).some(({ isUnderOffer: is }) => is === true) ? true : undefined;
}

export function showsStreet(record: XmlRecord): boolean {
  return flagAt(at.hideAddress, record) === false;
}

/** Whether the house number and the exact position may be shown. Otherwise only the district is shown. */
export function showsAddress(record: XmlRecord): true | 'district' {
  return showsStreet(record) && flagAt(at.hideNumber, record) === false ? true : 'district';
}
