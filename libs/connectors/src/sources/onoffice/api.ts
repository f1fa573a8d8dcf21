import { createHmac } from 'node:crypto';
import { AccessRefused, BadFeed, isUrl, RetryLater } from '@passerelle/domain';
import type { SourceConfig, SourceRequest } from '../../kit/contracts';
import { credential } from '../../kit/http-access';

const TOKEN_NAMES = ['token', 'api-token'];
const SECRET_NAMES = ['secret', 'api-secret'];
const DEFAULT_BASE_URL = 'https://api.onoffice.de';
const USUAL_PATH = '/api/stable/api.php';
const ACTION = 'urn:onoffice-de-ns:smart:2.5:smartml:action:';
const LONGEST_MESSAGE = 120;

/** One request to the API. */
export interface Question {
  action: 'read' | 'get' | 'do';
  resource: string;
  parameters: Readonly<Record<string, unknown>>;
}

/** A record of an answer: it has an `id`, and `elements` that are an object or a list. */
export interface ApiRecord {
  id?: unknown;
  elements?: unknown;
}

export interface ApiAnswer {
  records: readonly ApiRecord[];
  total: number | undefined;
}

interface Action {
  actionid: string;
  resourcetype: string;
  [other: string]: unknown;
}

/** Builds the request for one question. `sign` signs it before it is sent. @throws AccessRefused */
export function requestFor(source: SourceConfig, { action, resource, parameters }: Question): SourceRequest {
  const address = source.url.trim() === '' ? DEFAULT_BASE_URL : source.url;
  if (!isUrl(address)) throw new AccessRefused('the source URL is not an address');
  const url = new URL(address);
  if (!url.pathname.endsWith('.php')) url.pathname = USUAL_PATH;
  if (credential(source, TOKEN_NAMES) === undefined || credential(source, SECRET_NAMES) === undefined)
    throw new AccessRefused('the credentials `token` and `secret` are missing, or one of them');
  const inOrder = Object.fromEntries(Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    url: url.href,
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({
      request: {
        actions: [
          { actionid: ACTION + action, resourceid: '', identifier: '', resourcetype: resource, parameters: inOrder },
        ],
      },
    }),
  };
}

export function parametersOf(request: SourceRequest): Readonly<Record<string, unknown>> {
  const { request: asked } = JSON.parse(request.body ?? '') as { request: { actions: Action[] } };
  return asked.actions[0]?.['parameters'] as Readonly<Record<string, unknown>>;
}

/** Version 2 signs the time, the token, the resource and the action. A signature is valid for two minutes. */
export function sign(request: SourceRequest, source: SourceConfig, now: Date): SourceRequest {
  const token = credential(source, TOKEN_NAMES) ?? '';
  const secret = credential(source, SECRET_NAMES) ?? '';
  const timestamp = Math.floor(now.getTime() / 1000);
  const { request: asked } = JSON.parse(request.body ?? '') as { request: { actions: Action[] } };
  const actions = asked.actions.map((action) => {
    const signed = `${timestamp}${token}${action.resourcetype}${action.actionid}`;
    const hmac = createHmac('sha256', secret).update(signed).digest('base64');
    return { ...action, timestamp, hmac, hmac_version: '2' };
  });
  return { ...request, body: JSON.stringify({ token, request: { actions } }) };
}

interface ResultData {
  meta?: unknown;
  records?: unknown;
}

interface Status {
  code?: unknown;
  errorcode?: unknown;
  message?: unknown;
}

/** @throws AccessRefused when the API does not know the caller; RetryLater when the API failed; BadFeed otherwise. */
export function answerIn(body: unknown, source: SourceConfig): ApiAnswer {
  return listIn(checkAnswer(body, source));
}

/** All results of an answer, each with the resource that it is about. @throws the same errors as `answerIn`. */
export function answersIn(body: unknown, source: SourceConfig): (ApiAnswer & { resource: string })[] {
  checkAnswer(body, source);
  const { response } = body as { response: { results: ({ resourcetype?: unknown; data?: ResultData } | null)[] } };
  return response.results.map((result) => ({ ...listIn(result?.data), resource: String(result?.resourcetype) }));
}

function listIn(data: ResultData | undefined): ApiAnswer {
  const records = data?.records;
  if (!Array.isArray(records)) throw new BadFeed('onOffice answered without a list of records');
  const total = Number((data?.meta as { cntabsolute?: unknown } | null)?.cntabsolute ?? Number.NaN);
  return { records: records as ApiRecord[], total: Number.isInteger(total) ? total : undefined };
}

/** The member `response` of an answer that reports success. @throws the same errors as `answerIn`. */
export function checkAnswer(body: unknown, source: SourceConfig): ResultData | undefined {
  const { status, response } = (body ?? {}) as { status?: Status; response?: { results?: unknown } };
  const code = Number(status?.code ?? 200);
  const said = messageOf(status, source);
  if (code >= 500) throw new RetryLater(`onOffice failed${said}`);
  if (/authenticat|hmac|timestamp|token/i.test(said) && (code !== 200 || !isZero(status?.errorcode)))
    throw new AccessRefused(`onOffice refuses the token, the secret or the clock of this machine${said}`);
  if (code !== 200) throw new BadFeed(`onOffice refuses the request${said}`);
  const results = Array.isArray(response?.results) ? (response.results as unknown[]) : [];
  const result = results[0] as { status?: Status; data?: ResultData } | undefined;
  if (result === undefined) throw new BadFeed(`onOffice answered without a result${said}`);
  if (!isZero(result.status?.errorcode))
    throw new BadFeed(`onOffice refuses the request${messageOf(result.status, source)}`);
  return result.data;
}

function isZero(code: unknown): boolean {
  return code === undefined || code === null || Number(code) === 0;
}

/** The message of a status, without secrets: the API may repeat the request in it. */
function messageOf(status: Status | undefined, source: SourceConfig): string {
  const { errorcode, message } = status ?? {};
  let text = typeof message === 'string' ? message : '';
  for (const secret of Object.values(source.credentials)) if (secret !== '') text = text.replaceAll(secret, '***');
  const number = isZero(errorcode) ? '' : ` (${String(errorcode).slice(0, 10)})`;
  return text === '' ? number : `: ${text.slice(0, LONGEST_MESSAGE)}${number}`;
}
