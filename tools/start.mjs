// `npm start`: builds changed files, then starts everything in the same process, so that signals from npm reach it.
import { build } from './build.mjs';

try {
  await build();
} catch (error) {
  process.stderr.write(`Passerelle does not start: ${error.message}\n`);
  process.exit(1);
}
await import('../dist/tools/start.js');
