import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { checkPorts, findSimulatorPort, portsForDemo } from './ports';
import { readSettings, type StartSettings } from './settings';

describe('the ports of npm start', () => {
  const servers: Server[] = [];

  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  const takenPort = async (port = 0): Promise<number> => {
    const server = createServer().listen(port, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const settings = (ports: Partial<StartSettings>): StartSettings => ({ ...readSettings({}), ...ports });

  it('must all be different', async () => {
    await expect(checkPorts(settings({ port: 3000, opsPort: 3000 }))).rejects.toThrow(
      'PORT and OPS_PORT are both 3000: choose different ports',
    );
  });

  it('include a later port for the simulator when its configured port is taken', async () => {
    const taken = await takenPort();

    expect(await findSimulatorPort(settings({ simulatorPort: taken }))).toBeGreaterThan(taken);
    expect(await findSimulatorPort(settings({ simulatorPort: taken }))).toBeLessThan(taken + 20);
  });

  it('exclude the ports of other parts when the simulator searches for a port', async () => {
    const free = await takenPort();
    servers.pop()!.close();

    const found = await findSimulatorPort(settings({ simulatorPort: free, port: free, opsPort: free + 1 }));

    expect(found).toBeGreaterThan(free + 1);
  });

  it('exclude the ports of other parts when the demo searches for a port', async () => {
    const ports = await portsForDemo(
      settings({ demoPort: 65_530, port: 65_530, opsPort: 65_532, simulatorPort: 65_535 }),
    );

    expect(ports).toEqual([65_531, 65_533, 65_534]);
  });

  it('are named in the error when the simulator finds no free port', async () => {
    const last = await takenPort(65_535);

    await expect(findSimulatorPort(settings({ simulatorPort: last }))).rejects.toThrow(
      'ports 65535 and the next ports are all in use: set SIMULATOR_PORT to another',
    );
  });
});
