import { join } from 'node:path';
import type { Program } from '@passerelle/settings';
import type { Halt } from './halt';
import type { Lock } from './lock';
import { openLogFile } from './log-file';
import { CannotStart } from './one-line';
import { environmentOf } from './service-environment';
import { describeEnd, type Service, startService, waitUntilReady } from './service';
import type { Running } from './running';
import { localUrl, type StartSettings } from './settings';

export interface ServicesOptions {
  settings: StartSettings;
  env: NodeJS.ProcessEnv;
  lock: Lock;
  halt: Halt;
  running: Running;
}

/** Starts the simulator, then the ingestor, the API and the console at the same time. @throws CannotStart */
export async function startServices({ settings, env, lock, halt, running }: ServicesOptions): Promise<void> {
  const start = async (name: string, script: string, program: Program | null): Promise<Service> => {
    const log = openLogFile(join(settings.dataDir, 'logs', `${name}.log`));
    const service = startService({ name, script, env: environmentOf(program, env), log });
    void endTogether(service, halt);
    await lock.noteChild(service.pid, script);
    return service;
  };
  const simulator = await start('simulator', 'tools/simulator/main.js', null);
  running.add(simulator);
  await waitUntilReady(simulator, `http://127.0.0.1:${settings.simulatorPort}/health`, halt.signal);

  const ingestor = await start('ingestor', 'apps/ingestor/src/main.js', 'ingestor');
  const api = await start('api', 'apps/api/src/main.js', 'API');
  const console = await start('console', 'apps/console/src/main.js', 'console');
  running.add(together([ingestor, api, console]));
  await Promise.all([
    waitUntilReady(ingestor, `${localUrl(settings, settings.opsPort)}/health/ready`, halt.signal),
    waitUntilReady(api, `${localUrl(settings, settings.port)}/health/ready`, halt.signal),
    waitUntilReady(console, `${localUrl(settings, settings.consolePort)}/health/ready`, halt.signal),
  ]);
}

/** If one part ends by itself, everything stops. */
async function endTogether(service: Service, halt: Halt): Promise<void> {
  const reason = await service.ended;
  halt.begin(new CannotStart(describeEnd(service, reason)));
}

function together(services: readonly Service[]): Parameters<Running['add']>[0] {
  return {
    async stop() {
      await Promise.all(services.map((service) => service.stop()));
    },
    kill() {
      for (const service of services) service.kill();
    },
  };
}
