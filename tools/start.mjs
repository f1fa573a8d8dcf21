// `npm start`: builds changed files, then starts everything. One process, so that a signal to npm reaches the right one.
import { build } from './build.mjs';

try {
  await build();
} catch (error) {
  process.stderr.write(`Passerelle does not start: ${error.message}\n`);
  process.exit(1);
}
await import('../dist/tools/start.js');
