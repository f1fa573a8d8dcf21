import type { Answer } from '../../../tools/simulator/misbehaviour';
import { type ApiRequest, type ApiServer, startApi } from './api-server';

/** Only the simulator accepts these credentials. */
export const SKARABEE_CREDENTIALS = { user: 'demo-weblink', password: 'demo-password-of-weblink' } as const;
export const SKARABEE_PATH = '/v40/weblink.asmx';

export interface SimulatedPublication {
  id: string;
  changed?: string;
  isActive?: boolean;
  /** Additional XML members of `Property`. */
  property?: string;
  photos?: number;
}

/** One line of a `Feedback` request. */
export interface ReportedPublication {
  id: string;
  status: string;
  reason?: string;
  url?: string;
}

/** The state of the simulated service. A test may change it at any time. */
export interface SkarabeeState {
  publications: () => readonly SimulatedPublication[];
  /** The error code of an operation, sent with status 200. */
  errorOf: (operation: string, id?: string) => string | undefined;
  /** Whether each response has different URLs for the same photos. */
  movesPhotos: boolean;
  /** Offices of the account. */
  offices: readonly string[];
  /**
   * The feedback that the service received, one list per request. The service refuses feedback about unknown
   * publications.
   */
  feedback: ReportedPublication[][];
  /** Ids of publications that the service no longer lists but still knows. */
  remembers?: readonly string[];
  /** Called before each response with a publication. */
  beforePublication: () => void;
}

/** Simulates Weblink 40: HTTP Basic, and one URL where the SOAP envelope names the operation. */
export async function simulateSkarabee(state: SkarabeeState): Promise<ApiServer> {
  const { user, password } = SKARABEE_CREDENTIALS;
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  let answers = 0;
  return await startApi((request) => {
    answers += 1;
    if (request.url.pathname !== SKARABEE_PATH) return { status: 404, headers: {}, body: Buffer.from('') };
    if (request.headers.authorization !== basic) return { status: 401, headers: {}, body: Buffer.from('Unauthorized') };
    return answerTo(request, state, answers);
  });
}

/** The operation in a request's header and envelope; undefined if they differ. */
export function operationOf({ headers, body }: Pick<ApiRequest, 'headers' | 'body'>): string | undefined {
  const announced = /action="http:\/\/weblink\.skarabee\.com\/(\w+)"/.exec(headers['content-type'] ?? '')?.[1];
  const called = /<soap:Body><(\w+) xmlns="http:\/\/weblink\.skarabee\.com\/"/.exec(body)?.[1];
  return announced === called ? called : undefined;
}

function answerTo(request: ApiRequest, state: SkarabeeState, version: number): Answer {
  const operation = operationOf(request);
  const id = /<PublicationId>(\d+)<\/PublicationId>/.exec(request.body)?.[1];
  const error = operation === undefined ? undefined : state.errorOf(operation, id);
  if (operation !== undefined && error !== undefined) return envelope(operation, errors(error));
  switch (operation) {
    case 'GetContactInfo':
      return envelope(operation, `<UserSummaries>${state.offices.map(officeOf).join('')}</UserSummaries>`);
    case 'GetPublicationSummaries':
      return envelope(
        operation,
        `<PublicationSummaries>${state.publications().map(summaryOf).join('')}</PublicationSummaries>`,
      );
    case 'GetPublication': {
      state.beforePublication();
      const found = state.publications().find((one) => one.id === id);
      const inside =
        found === undefined ? errors('INVALID_PUBLICATION_ID') : publicationOf(found, state.movesPhotos ? version : 0);
      return envelope(operation, inside);
    }
    case 'Feedback': {
      const told = reportedIn(request.body);
      const known = new Set([...state.publications().map((one) => one.id), ...(state.remembers ?? [])]);
      if (told.some((one) => !known.has(one.id))) return envelope(operation, errors('INVALID_PUBLICATION_ID'));
      state.feedback.push(told);
      return envelope(operation, '');
    }
    case 'InsertContactMes': {
      const isValid = /<LastName>[^<]+<\/LastName>/.test(request.body);
      return envelope(operation, isValid ? '' : REFUSED_CONTACT);
    }
    default:
      return {
        ...soap('<soap:Fault><soap:Reason><soap:Text>Unknown operation</soap:Text></soap:Reason></soap:Fault>'),
        status: 500,
      };
  }
}

function soap(inside: string): Answer {
  const body = `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soap:Body>${inside}</soap:Body></soap:Envelope>`;
  return { status: 200, headers: { 'content-type': 'application/soap+xml; charset=utf-8' }, body: Buffer.from(body) };
}

function envelope(operation: string, inside: string): Answer {
  return soap(
    `<${operation}Response xmlns="http://weblink.skarabee.com/"><${operation}Result>${inside}</${operation}Result></${operation}Response>`,
  );
}

function errors(code: string): string {
  return `<Errors><Error><Code>${code}</Code><Message>said by the simulator</Message></Error></Errors>`;
}

function officeOf(name: string): string {
  return `<UserSummary><Id>1</Id><Company>${name}</Company><Contact><Phone>+32 9 000 00 00</Phone></Contact></UserSummary>`;
}

const REFUSED_CONTACT =
  '<InvalidContactMes><InvalidContactMe><Errors><string>LastName is missing</string></Errors></InvalidContactMe></InvalidContactMes>';

function reportedIn(body: string): ReportedPublication[] {
  return [...body.matchAll(/<Feedback>(.*?)<\/Feedback>/gs)].map(([, inside = '']) => {
    const member = (name: string): string | undefined => new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(inside)?.[1];
    const [reason, url] = [member('StatusDescription'), member('URL')];
    return {
      ...{ id: member('PublicationID') ?? '', status: member('Status') ?? '' },
      ...(reason !== undefined && { reason }),
      ...(url !== undefined && { url }),
    };
  });
}

const CHANGED = '2026-11-01 10:00:00';

function summaryOf({ id, changed = CHANGED, isActive = true }: SimulatedPublication): string {
  return `<PublicationSummary><ID>${id}</ID><Created>${CHANGED}</Created><Modified>${changed}</Modified><Active>${isActive}</Active></PublicationSummary>`;
}

function publicationOf(
  { id, changed = CHANGED, property = '', photos = 0 }: SimulatedPublication,
  version: number,
): string {
  const pictures = Array.from(
    { length: photos },
    (_, at) =>
      `<Picture><Index>${at}</Index><URL>https://media.skarabee.example/${id}-${at}.jpg?v=${version}</URL><PictureType>UNDEFINED</PictureType></Picture>`,
  );
  return (
    `<Publication><Info><ID>${id}</ID><Modified>${changed}</Modified><HidePrice>false</HidePrice><HideAddress>false</HideAddress><HideHouseNumber>true</HideHouseNumber><Enabled>true</Enabled></Info>` +
    `<Property><Active>true</Active><Status>FOR_SALE</Status><FlowStatus>UNDEFINED</FlowStatus><Price>250000</Price><PriceType>UNDEFINED</PriceType><Currency>EUR</Currency>` +
    `<NumberOfBedrooms>-1</NumberOfBedrooms><HasGarden>UNDEFINED</HasGarden><Address><Street>Kerkstraat</Street><HouseNumber>7</HouseNumber><CountryID>BE</CountryID><City ID="1" ZipCode="4000">Liège</City></Address>` +
    `<LotPublicationId xsi:nil="true" /><Typo><Type>Estate</Type><Sort>Dwelling</Sort></Typo>${property}</Property>` +
    `<Pictures>${pictures.join('')}</Pictures></Publication>`
  );
}
