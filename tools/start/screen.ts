import { relative } from 'node:path';
import type { DemoResult } from './demo-gateways';
import { say } from './one-line';
import type { StartSettings } from './settings';

export interface Screen {
  settings: StartSettings;
  database: string;
  results: readonly DemoResult[];
  demoUrl: string;
  /** The console's address with the sign-in link; null when the demo's operator is disabled. */
  consoleUrl: string | null;
}

export function showScreen({ settings, database, results, demoUrl, consoleUrl }: Screen): void {
  const { baseUrl, opsPort, simulatorPort, dataDir, redisUrl } = settings;
  const folder = shortPath(dataDir);
  say();
  say('Passerelle is running.');
  say();
  say(`  Demo       ${demoUrl}      (the listings of the demo gateways, as a web site shows them)`);
  say(`  API        ${baseUrl}      (try it by hand: ${baseUrl}/docs)`);
  say(
    `  Ingestor   http://localhost:${opsPort}      (/metrics and /queues with the OPS_TOKEN of ${folder}/secrets.json as password)`,
  );
  say(`  Console    http://localhost:${settings.consolePort}      (what operators see and decide; sign in as below)`);
  say(`  Simulator  http://localhost:${simulatorPort}      (plays the CRMs of the demo gateways)`);
  say(`  Database   ${database}`);
  say(`  Queue      ${redisUrl === null ? 'in PostgreSQL' : 'in Redis (REDIS_URL)'}`);
  say(`  Logs       ${folder}/logs/api.log, ${folder}/logs/ingestor.log, ${folder}/logs/console.log`);
  if (consoleUrl !== null) {
    say();
    say('Sign in to the console, until tomorrow:');
    say();
    say(`  ${consoleUrl}`);
  }
  say();
  showGateways(results);
  const first = results.find(({ listings, remark }) => listings !== null && remark === null);
  if (first !== undefined) {
    const { crm, client, key } = first.gateway;
    say();
    say('Ask for a page:');
    say();
    say(`  curl -s -H 'Key: ${key}' '${baseUrl}/v1/properties?crm=${crm}&client=${client}&per_page=2'`);
  }
  say();
  say('Ctrl-C stops everything.');
}

function showGateways(results: readonly DemoResult[]): void {
  say(`  ${'Demo gateway'.padEnd(14)}${'Listings'.padStart(10)}  Key`);
  for (const { gateway, listings, remark } of results) {
    const name = `${gateway.crm}/${gateway.client}`.padEnd(14);
    say(`  ${name}${String(listings ?? '-').padStart(10)}  ${gateway.key}${remark === null ? '' : `   (${remark})`}`);
  }
}

function shortPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere === '' || fromHere.startsWith('..') ? path : fromHere;
}
