import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// Runs in a separate process, like a real CRM: serves the file that the last message named. The first answer contains
// the address.
let file = '';

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/xml', 'content-length': statSync(file).size });
  createReadStream(file, { highWaterMark: 256 * 1024 }).pipe(response);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.(`127.0.0.1:${port}`);
});
process.on('message', (path: string) => {
  file = path;
  process.send?.(path);
});
