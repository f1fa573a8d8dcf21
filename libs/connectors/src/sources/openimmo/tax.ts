import type { XmlRecord } from '../../formats/xml-records';
import { toCents } from '../../kit/clean/number';
import type { RecordContext } from '../../kit/contracts';
import { readPrice } from '../../kit/price';
import { compilePath, type ReadValue } from '../../kit/values';
import { attributeOf } from './attributes';

/** An Austrian amount without tax, and its tax. */
export interface AmountBeforeTax {
  path: string;
  taxPath: string;
  netAt: ReadValue;
  taxAt: ReadValue;
}

/** `tax` is an attribute of the element with the amount, as in the schema, or an element beside it. */
export function beforeTax(path: string, tax: string): AmountBeforeTax {
  const besideAt = compilePath(`preise.${tax}`);
  const netAt = compilePath(path);
  return {
    path,
    taxPath: `preise.${tax}`,
    netAt,
    taxAt: (record) => attributeOf(netAt(record), tax) ?? besideAt(record),
  };
}

/** The tax on rents and running costs in Austria is 10 to 20 percent. A higher share is no tax, and a lower one may be a rate. */
const [LEAST_SHARE, GREATEST_SHARE] = [0.05, 0.25];

/** The amount with its tax. If the tax could be a rate instead of an amount, undefined with a warning. */
export function withTax(
  { path, taxPath, netAt, taxAt }: AmountBeforeTax,
  record: XmlRecord,
  context: RecordContext,
): number | undefined {
  const net = readPrice(netAt(record), path, context);
  const tax = net === undefined ? undefined : readPrice(taxAt(record), taxPath, context);
  if (net === undefined || tax === undefined) return net;
  const share = tax / net;
  if (share >= LEAST_SHARE && share <= GREATEST_SHARE) return toCents(net + tax);
  context.warn('implausible_value', taxPath, `${tax}: no tax on ${net}`);
  return undefined;
}
