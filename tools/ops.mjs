// `npm run ops -- …`: the operators' command line, from the build.
import { existsSync } from 'node:fs';

const built = new URL('../dist/apps/ops/src/main.js', import.meta.url);
if (!existsSync(built)) {
  process.stderr.write('the operators\' tools are not built yet: run "npm run build" (or "npm start") first\n');
  process.exit(1);
}
await import(built.href);
