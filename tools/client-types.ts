import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientTypes, CLIENT_TYPES_PATH } from './client-types/client-types';

// `npm run client:types`: generates the types of clients/typescript from openapi.json. `--check` only compares.
const path = join(__dirname, '..', CLIENT_TYPES_PATH);
void clientTypes().then((text) => {
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text);
  } else if (readFileSync(path, 'utf8') !== text) {
    process.stderr.write(`${CLIENT_TYPES_PATH} is behind openapi.json: npm run client:types writes it\n`);
    process.exitCode = 1;
  }
});
