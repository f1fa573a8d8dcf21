import type { SimulatedCrm } from './property';

/** Only the simulator accepts these credentials. */
export const APIMO_CREDENTIALS = { provider: 'demo-provider', token: 'demo-token-not-a-secret' } as const;

export function simulatorSources(host: string): Record<SimulatedCrm, string> {
  return {
    apimo: `http://${host}/apimo`,
    kyero: `http://${host}/kyero/demo.xml`,
    poliris: `http://${host}/poliris/immo_demo.zip`,
  };
}
