import { loadSecrets, prepareDataDirectory, type Secrets } from './start/data-directory';
import { openDatabase } from './start/database';
import { startDemo } from './start/demo';
import { consoleLink } from './start/demo-operator';
import { DEMO_GATEWAYS, ensureDemoGateways, pullDemoGateways } from './start/demo-gateways';
import { Halt, haltOnSignals } from './start/halt';
import { publishInstance, withdrawInstance } from './start/instance';
import { lockDataDirectory } from './start/lock';
import { explain, say } from './start/one-line';
import { startServices } from './start/services';
import { checkPorts, findConsolePort, findSimulatorPort } from './start/ports';
import { checkRedis } from './start/redis';
import { Running, trace } from './start/running';
import { showScreen } from './start/screen';
import { localUrl, readSettings, type StartSettings } from './start/settings';

/** `npm start`: runs everything on one machine until the user stops it or a part ends. */
async function main(): Promise<void> {
  const running = new Running();
  const halt = new Halt();
  haltOnSignals(halt, () => process.exit(1));
  // Stops all parts, even after an uncaught error in this process.
  process.once('exit', () => {
    running.kill();
  });
  try {
    await start(running, halt);
  } catch (error) {
    halt.begin(error);
  }
  await halt.begun();
  if (halt.failure !== null) say(`Passerelle cannot run: ${explain(halt.failure)}`);
  await running.stop();
  process.exit(halt.failure === null ? 0 : 1);
}

/** Starts all parts. `running` contains the started parts, even after an error. */
async function start(running: Running, halt: Halt): Promise<void> {
  const wanted = readSettings(process.env);
  const { dataDir } = wanted;
  await prepareDataDirectory(dataDir, wanted.inboxDir);
  const lock = await lockDataDirectory(dataDir);
  running.add(trace(lock.release));
  await checkPorts(wanted);
  const settings = { ...wanted, simulatorPort: await findSimulatorPort(wanted) };
  settings.consolePort = await findConsolePort(settings);
  await checkRedis(settings.redisUrl);
  const secrets = withUsersOwn(await loadSecrets(dataDir), settings);

  say('Starting the database…');
  const { database, ...server } = await openDatabase(settings, secrets.databasePassword);
  running.add(server);
  halt.signal.throwIfAborted();
  const simulatorHost = `127.0.0.1:${settings.simulatorPort}`;
  await ensureDemoGateways(database, secrets.secretsKey, simulatorHost);

  say('Starting the CRM simulator, the ingestor, the API and the console…');
  const allowPrivateSources = [...settings.allowPrivateSources, simulatorHost].join(',');
  const env = serviceEnvironment(settings, secrets, server.url, allowPrivateSources);
  await startServices({ settings, env, lock, halt, running });
  await publishInstance(dataDir, {
    pid: process.pid,
    databaseUrl: server.url,
    ...(settings.redisUrl !== null && { redisUrl: settings.redisUrl }),
    secretsKey: secrets.secretsKey,
    opsToken: secrets.opsToken,
    apiUrl: localUrl(settings, settings.port),
    opsUrl: localUrl(settings, settings.opsPort),
    allowPrivateSources,
  });
  running.add(
    trace(() => {
      withdrawInstance(dataDir);
    }),
  );

  say('Reading the feeds of the demo gateways…');
  const results = await pullDemoGateways(database, secrets.secretsKey, halt.signal);
  const demo = await startDemo(settings);
  running.add(demo);
  const consoleUrl = settings.consoleUrl ?? `http://localhost:${settings.consolePort}`;
  const signIn = await consoleLink(database, consoleUrl);
  showScreen({ settings, database: server.description, results, demoUrl: demo.url, consoleUrl: signIn });
}

function withUsersOwn(secrets: Secrets, { secretsKey, consoleSecret, opsToken }: StartSettings): Secrets {
  return {
    ...secrets,
    secretsKey: secretsKey ?? secrets.secretsKey,
    consoleSecret: consoleSecret ?? secrets.consoleSecret,
    opsToken: opsToken ?? secrets.opsToken,
  };
}

/** The environment of the programs: the user's environment, plus the values that `npm start` sets. */
function serviceEnvironment(
  settings: StartSettings,
  { secretsKey, consoleSecret, opsToken }: Secrets,
  databaseUrl: string,
  allowPrivateSources: string,
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
    CONSOLE_PORT: String(settings.consolePort),
    BASE_URL: settings.baseUrl,
    SECRETS_KEY: secretsKey,
    CONSOLE_SECRET: consoleSecret,
    OPS_TOKEN: opsToken,
    ALLOW_PRIVATE_SOURCES: allowPrivateSources,
    DEMO_GATEWAYS: JSON.stringify(DEMO_GATEWAYS),
    // Empty these settings, because this process has read them, and programs refuse a value and its file together.
    DATABASE_URL_FILE: '',
    DATABASE_DIRECT_URL: '',
    DATABASE_DIRECT_URL_FILE: '',
    DATABASE_PASSWORD: '',
    DATABASE_PASSWORD_FILE: '',
    SECRETS_KEY_FILE: '',
    CONSOLE_SECRET_FILE: '',
    OPS_TOKEN_FILE: '',
  };
}

void main();
