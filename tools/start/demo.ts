import { createReadApi } from '../demo/read-api';
import { type DemoServer, startDemoServer } from '../demo/server';
import { SIMULATED_CRMS } from '../simulator/property';
import { DEMO_GATEWAYS } from './demo-gateways';
import { CannotStart } from './one-line';
import { portsForDemo } from './ports';
import type { Stoppable } from './running';
import { localUrl, type StartSettings } from './settings';

/** Starts the demo's pages inside this process. @throws CannotStart when no port is free */
export async function startDemo(settings: StartSettings): Promise<Stoppable & { url: string }> {
  const simulator = `http://127.0.0.1:${settings.simulatorPort}`;
  const ports = await portsForDemo(settings);
  let server: DemoServer;
  try {
    server = await startDemoServer({
      ports,
      gateways: DEMO_GATEWAYS,
      api: createReadApi(localUrl(settings, settings.port)),
      places: {
        media: `${settings.mediaBaseUrl}/media/`,
        elsewhere: SIMULATED_CRMS.map((crm) => `${simulator}/${crm}/photos/`),
      },
      docsUrl: `${settings.baseUrl}/docs`,
      consoleUrl: `http://localhost:${settings.consolePort}`,
    });
  } catch {
    throw new CannotStart(`ports ${settings.demoPort} and the next ports are all in use: set DEMO_PORT to another`);
  }
  return {
    url: `http://localhost:${server.port}/demo`,
    stop: () => server.close(),
    // The pages end with this process.
    kill: () => undefined,
  };
}
