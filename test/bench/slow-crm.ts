import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { kyeroFeed } from './feeds';

/** A CRM in a process of its own that answers each request with the same small feed, after a while. Prints its address. */
const [records, delayMs] = process.argv.slice(2).map(Number);
const feed = Buffer.concat([...kyeroFeed(records ?? 0)]);
const server = createServer((_request, response) => {
  setTimeout(() => {
    response.setHeader('content-type', 'application/xml');
    response.end(feed);
  }, delayMs);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
