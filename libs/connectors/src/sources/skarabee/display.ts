import type { Statut } from '@passerelle/domain';
import type { XmlRecord } from '../../formats/xml-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import { type Showing, withdrawalFor } from '../../kit/status';
import { lookUp } from '../../kit/word-table';
import { FLOW_STATUSES, STATUSES } from './lookups';

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

const FURTHEST_FIRST = ['vendu', 'loue', 'sous-compromis', 'sous-offre'] as const;

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
  for (const showing of showingsOf(record, context)) {
    const withdrawn = withdrawalFor(showing, context);
    if (withdrawn !== undefined) return withdrawn;
  }
  return undefined;
}

/** The status that is furthest: a sale that is completed comes before a conditional one. */
export function statutOf(record: XmlRecord, context: RecordContext): Statut | undefined {
  const silent = { ...context, warn: () => undefined };
  const found = showingsOf(record, silent).map(({ statut }) => statut);
  const isConditional = flagAt(at.conditional, record) === true;
  return FURTHEST_FIRST.find((statut) => found.includes(statut) || (isConditional && statut === 'sous-compromis'));
}

export function showsStreet(record: XmlRecord): boolean {
  return flagAt(at.hideAddress, record) === false;
}

/** Whether the house number and the exact position may be shown. Otherwise only the district is shown. */
export function showsAddress(record: XmlRecord): true | 'district' {
  return showsStreet(record) && flagAt(at.hideNumber, record) === false ? true : 'district';
}
