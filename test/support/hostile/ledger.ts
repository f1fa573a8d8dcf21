import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { Contract } from '../contract';
import type { RawAnswer } from '../raw-http';
import type { Exchange, HostileRequest, Outcome } from './exchange';

/** The faults that the ledger has found, by kind. */
export interface Faults {
  /** A disallowed status, a missing or additional answer, or the `X-Request-Id` of another request. */
  wrong: string[];
  /**
   * Listings of several publications in one answer or in one pagination session, or a token that earlier belonged to
   * another list.
   */
  mixes: string[];
  /** Listings of a gateway whose key the request does not have. */
  leaks: string[];
  /** Different bytes for the same question about the same snapshot. */
  differences: string[];
}

/** A pagination session that takes longer may exceed `WALK_SECONDS`, and then may get pages of two lists. */
const WHOLE_WITHIN_MS = 1_000;

/**
 * Compares every answer with its request and with the other answers, except for the parts that may differ: the time,
 * the request's id, and whether the snapshot is still the current one.
 */
export class Ledger {
  readonly faults: Faults = { wrong: [], mixes: [], leaks: [], differences: [] };
  answers = 0;
  /** The number of answers that could be compared with an earlier answer. */
  compared = 0;
  private readonly lists = new Map<string, string>();
  private readonly known = new Map<string, string>();

  /** @param contract also checks every answer; null for hostile rows, which openapi.json does not describe */
  constructor(private readonly contract: Contract | null = null) {}

  check({ requests, garbage, leavesAfter }: Exchange, { answers, ms }: Outcome): void {
    if (leavesAfter !== null) return;
    const extra = garbage === '' ? 0 : 1;
    if (answers.length !== requests.length + extra) {
      this.faults.wrong.push(`${answers.length} answers to ${requests.length} requests and ${extra} garbage`);
      return;
    }
    const refused = answers[requests.length];
    if (refused !== undefined && refused.status !== 400 && refused.status !== 405) {
      this.faults.wrong.push(`${refused.status} for garbage`);
    }
    const lists = requests.flatMap((request, at) => {
      const answer = answers[at];
      const list = answer === undefined ? null : this.checkOne(request, answer);
      return request.page === undefined || list === null ? [] : [list];
    });
    if (new Set(lists).size > 1 && ms < WHOLE_WITHIN_MS) this.faults.mixes.push(`a walk in ${ms} ms: ${lists.join()}`);
  }

  /** @returns the list of the answer; null if the answer contains no listings */
  private checkOne(request: HostileRequest, answer: RawAnswer): string | null {
    this.answers += 1;
    const { status, headers } = answer;
    if (!request.may.includes(status) || headers['x-request-id'] !== request.id) {
      this.faults.wrong.push(`${status} ${headers['x-request-id']} for ${request.id} ${request.text.slice(0, 200)}`);
      return null;
    }
    const body = bodyOf(answer);
    this.holdAgainstContract(request, answer, body);
    const lists = new Set([...body.matchAll(/list (\d+\/\d+)/g)].map(([, list = '']) => list));
    const [list = null] = lists;
    if (lists.size > 1) this.faults.mixes.push(`${[...lists].join()} in ${request.text.slice(0, 200)}`);
    if (list !== null && list.split('/')[0] !== String(request.gateway)) {
      this.faults.leaks.push(`list ${list} for ${request.text.slice(0, 200)}`);
    }
    const token = headers['x-snapshot'];
    if (token !== undefined && list !== null && this.same(this.lists, token, list) === false) {
      this.faults.mixes.push(`${token} is of ${list} and of ${this.lists.get(token)}`);
    }
    if (request.question !== null) this.compare(`${request.question} ${token}`, answer, body);
    return list;
  }

  private holdAgainstContract({ method, text }: HostileRequest, { status, headers }: RawAnswer, body: string): void {
    const path = text.split(' ', 2)[1] ?? '';
    try {
      this.contract?.check(method, path, { status, headers, text: body, body: undefined });
    } catch (error) {
      this.faults.wrong.push(String(error).slice(0, 500));
    }
  }

  private compare(question: string, { status, headers }: RawAnswer, body: string): void {
    const { date, 'x-request-id': id = '', 'x-cache': cache, 'x-confirmed-at': confirmedAt, ...others } = headers;
    const own = body.replaceAll(id, 'ID').replace(/"timestamp":"[^"]*"/, '"timestamp":"TIME"');
    const shown = [date, cache, confirmedAt].map((one) => typeof one);
    // Ignore a compressed size, because it depends on the time in the body. Only pages are compressed without the time.
    if (others['content-encoding'] === 'gzip' && others['x-snapshot'] === undefined) delete others['content-length'];
    const text = JSON.stringify([status, Object.entries(others), shown, own]);
    const digest = createHash('sha256').update(text).digest('base64');
    const isSame = this.same(this.known, question, digest);
    if (isSame !== null) this.compared += 1;
    if (isSame === false) this.faults.differences.push(`${question}: ${text.slice(0, 1_000)}`);
  }

  /** @returns whether the value equals this name's earlier value; null if the name is new */
  private same(of: Map<string, string>, name: string, value: string): boolean | null {
    const known = of.get(name);
    if (known === undefined) of.set(name, value);
    return known === undefined ? null : known === value;
  }
}

function bodyOf({ headers, body }: RawAnswer): string {
  const bytes = Buffer.from(body, 'latin1');
  return (headers['content-encoding'] === 'gzip' && bytes.length > 0 ? gunzipSync(bytes) : bytes).toString();
}
