// `npm run bench [-- name …]`: builds changed files, then measures.
import { buildBenches } from './build.mjs';

await buildBenches();
await import('../dist/test/bench/main.js');
