import { join } from 'node:path';
import { ConfigError } from '@passerelle/domain';
import { loadSecrets, prepareDataDirectory, type Secrets } from './start/data-directory';
import { openDatabase, type StartDatabase } from './start/database';
import { DEMO_GATEWAYS, ensureDemoGateways, pullDemoGateways } from './start/demo-gateways';
import { publishInstance, withdrawInstance } from './start/instance';
import { lockDataDirectory, type Lock } from './start/lock';
import { openLogFile } from './start/log-file';
import { CannotStart, oneLine, say } from './start/one-line';
import { describeEnd, type Part, startPart, waitUntilReady } from './start/part';
import { checkPorts } from './start/ports';
import { showScreen } from './start/screen';
import { readSettings, type StartSettings } from './start/settings';
import { onStopRequest } from './start/stop-request';

/** `npm start`: everything on one machine. */
async function main(): Promise<void> {
  const running = new Running();
  const stop = onStopRequest(() => {
    running.killAll();
  });
  try {
    await Promise.race([start(running, stop.signal), stop.requested]);
    await Promise.race([running.firstEnd(), stop.requested]);
  } catch (error) {
    if (!stop.signal.aborted) {
      say(`Passerelle ${running.isComplete ? 'stops' : 'does not start'}: ${explain(error)}`);
      process.exitCode = 1;
    }
  }
  stop.begin();
  await running.stopAll();
  // Whatever still holds the event loop has nothing left to do.
  process.exit();
}

async function start(running: Running, signal: AbortSignal): Promise<void> {
  const settings = readSettings(process.env);
  const { dataDir } = settings;
  await prepareDataDirectory(dataDir, settings.inboxDir);
  const lock = await lockDataDirectory(dataDir);
  running.lastly(() => {
    lock.release();
  });
  await checkPorts(settings);
  const secrets = await loadSecrets(dataDir);
  say('Starting the database…');
  const { database, ...server } = await running.keepDatabase(openDatabase(settings, secrets.databasePassword));
  const simulatorHost = `127.0.0.1:${settings.simulatorPort}`;
  const secretsKey = settings.secretsKey ?? secrets.secretsKey;
  await ensureDemoGateways(database, secretsKey, simulatorHost);
  const env = partEnvironment(settings, secrets, server.url, simulatorHost);
  say('Starting the CRM simulator, the ingestor and the API…');
  const run = async (name: string, script: string, readyUrl: string): Promise<void> => {
    signal.throwIfAborted();
    const part = startPart({ name, script, env, log: openLogFile(join(dataDir, 'logs', `${name}.log`)) });
    running.addPart(part);
    await lock.noteChild(part.pid, script);
    await waitUntilReady(part, readyUrl);
  };
  await run('simulator', 'tools/simulator/main.js', `http://${simulatorHost}/health`);
  await Promise.all([
    run('ingestor', 'apps/ingestor/src/main.js', `${localUrl(settings, settings.opsPort)}/health/ready`),
    run('api', 'apps/api/src/main.js', `${localUrl(settings, settings.port)}/health/ready`),
  ]);
  await publishInstance(dataDir, {
    pid: process.pid,
    databaseUrl: server.url,
    ...(settings.redisUrl !== null && { redisUrl: settings.redisUrl }),
    secretsKey,
    opsToken: env['OPS_TOKEN'] ?? '',
    apiUrl: localUrl(settings, settings.port),
    opsUrl: localUrl(settings, settings.opsPort),
    allowPrivateSources: env['ALLOW_PRIVATE_SOURCES'] ?? '',
  });
  running.firstly(() => {
    withdrawInstance(dataDir);
  });
  say('Reading the feeds of the demo gateways…');
  const results = await pullDemoGateways(database, signal);
  running.isComplete = true;
  showScreen({ settings, database: server.description, results });
}

/** What the API and the ingestor find in their environment. */
function partEnvironment(
  settings: StartSettings,
  secrets: Secrets,
  databaseUrl: string,
  simulatorHost: string,
): NodeJS.ProcessEnv {
  return {
    ...process.env,
    DATABASE_URL: databaseUrl,
    DATA_DIR: settings.dataDir,
    INBOX_DIR: settings.inboxDir,
    HOST: settings.host,
    PORT: String(settings.port),
    OPS_PORT: String(settings.opsPort),
    SIMULATOR_PORT: String(settings.simulatorPort),
    BASE_URL: settings.baseUrl,
    SECRETS_KEY: settings.secretsKey ?? secrets.secretsKey,
    OPS_TOKEN: settings.opsToken ?? secrets.opsToken,
    ALLOW_PRIVATE_SOURCES: [...settings.allowPrivateSources, simulatorHost].join(','),
    DEMO_GATEWAYS: JSON.stringify(DEMO_GATEWAYS),
  };
}
