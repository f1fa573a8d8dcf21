import { BadFeed } from '@passerelle/domain';
import XMLBuilder from 'fast-xml-builder';
import type { SourceRequest } from '../kit/contracts';
import { textOf } from '../kit/values';
import { parseXmlAnswer } from './xml-answer';
import type { XmlRecord } from './xml-element';

const SOAP_12 = 'http://www.w3.org/2003/05/soap-envelope';
const INSTANCES = 'http://www.w3.org/2001/XMLSchema-instance';

const BUILDER = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#text',
  suppressBooleanAttributes: false,
});

/** One operation of a SOAP 1.2 service with document messages. docs/decisions/0035 says why no SOAP library is used. */
export interface SoapCall {
  url: string;
  namespace: string;
  operation: string;
  /** In the order of the service's description; `null` is sent as `xsi:nil`, also inside other values. */
  parameters?: Readonly<Record<string, SoapValue>>;
  headers?: Readonly<Record<string, string>>;
}

export type SoapValue =
  string | number | boolean | null | { readonly [name: string]: SoapValue | readonly SoapValue[] };

export function soapRequest({ url, namespace, operation, parameters = {}, headers }: SoapCall): SourceRequest {
  const call = { '@xmlns': namespace, ...(withNil(parameters) as object) };
  const envelope = { '@xmlns:soap': SOAP_12, '@xmlns:xsi': INSTANCES, 'soap:Body': { [operation]: call } };
  return {
    url,
    method: 'POST',
    headers: { ...headers, 'content-type': `application/soap+xml; charset=utf-8; action="${namespace}${operation}"` },
    body: `<?xml version="1.0" encoding="utf-8"?>${BUILDER.build({ 'soap:Envelope': envelope })}`,
  };
}

/**
 * The operation's `…Result` element without nil elements; paths in `lists` start at this element. @throws BadFeed if
 * the answer is cut, another document or a fault.
 */
export function soapResult(answer: Buffer, operation: string, lists: readonly string[] = []): XmlRecord {
  const name = /<((?:[\w.-]+:)?Envelope)[\s>]/.exec(answer.toString('latin1', 0, 2_000))?.[1] ?? 'Envelope';
  const [response, result] = [`${operation}Response`, `${operation}Result`];
  const { Body: body } = parseXmlAnswer(
    answer,
    name,
    lists.map((path) => `Body.${response}.${result}.${path}`),
  );
  const { Fault: fault, [response]: answered } = membersOf(body);
  if (fault !== undefined) throw new BadFeed(`the service answered with a fault: ${reasonOf(fault)}`);
  const found = membersOf(answered)[result];
  if (found === undefined) throw new BadFeed(`the answer has no ${result}`);
  return membersOf(withoutNil(found));
}

function withNil(value: SoapValue | readonly SoapValue[]): unknown {
  if (value === null) return { '@xsi:nil': 'true' };
  if (typeof value !== 'object') return value;
  if (isList(value)) return value.map(withNil);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withNil(one)]));
}

function isList(value: object): value is readonly SoapValue[] {
  return Array.isArray(value);
}

export function elementText(name: string, members: object): string {
  return BUILDER.build({ [name]: members });
}

function membersOf(value: unknown): XmlRecord {
  return typeof value === 'object' && value !== null ? (value as XmlRecord) : {};
}

/** The fault's reason in SOAP 1.2 or SOAP 1.1. */
function reasonOf(fault: unknown): string {
  const { Reason: reason, faultstring } = membersOf(fault);
  const said = textOf(membersOf(reason)['Text']) ?? textOf(faultstring) ?? 'without a reason';
  return said.replace(/\s+/g, ' ').slice(0, 120);
}

function withoutNil(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNil).filter((one) => one !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  if ((value as XmlRecord)['@nil'] === 'true') return undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const kept = withoutNil(one);
      return kept === undefined ? [] : [[name, kept]];
    }),
  );
}
