import { readFileSync } from 'node:fs';
import { XMLParser } from 'fast-xml-parser';

// Runs in a separate process. Each message names a file; each answer contains the ms that reading and parsing took.
const parser = new XMLParser({ parseTagValue: false, parseAttributeValue: false, ignoreAttributes: false });

process.on('message', (file: string) => {
  const startedAt = performance.now();
  const document = parser.parse(readFileSync(file)) as { root: { property: unknown[] } };
  const ms = performance.now() - startedAt;
  process.send?.({ ms, records: document.root.property.length });
});
