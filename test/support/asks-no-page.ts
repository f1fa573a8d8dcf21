import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { basename } from 'node:path';
import ASK_NO_PAGE from '../medium/api/asks-no-page.json';

const REQUESTS = 'http.server.request.start';

/** The requests for pages that the fast lane may answer: `ids` and `snapshot` are left to the controller. */
const pages: string[] = [];

function watch(message: unknown): void {
  const { method = '', url = '/' } = (message as { request: IncomingMessage }).request;
  const { pathname, searchParams } = new URL(url.slice(0, 10_000), 'http://api.example');
  const isPage = pathname === '/v1/properties' && !searchParams.has('ids') && !searchParams.has('snapshot');
  if (method === 'GET' && isPage) pages.push(url);
}

// A spec of the list runs once only, for without the lane it would do the same: this says when that is no longer true.
const { testPath = '' } = expect.getState();
if (testPath.includes('/test/medium/api/') && ASK_NO_PAGE.includes(basename(testPath))) {
  subscribe(REQUESTS, watch);
  afterAll(() => {
    unsubscribe(REQUESTS, watch);
    if (pages.length === 0) return;
    throw new Error(`${testPath} asks for pages: take it out of asks-no-page.json. It asked for ${pages[0]}`);
  });
}
