// `npm run bench [-- name …]`: builds what has changed, then measures.
import { buildBenches } from './build.mjs';

await buildBenches();
await import('../dist/test/bench/main.js');
