import { Settings } from '@passerelle/settings';
import { retakePhoto } from './portfolio';
import { SIMULATED_CRMS } from './property';
import { createSimulator } from './simulator';

/** Now and then, so that a demo that is left alone shows a change. */
const RETAKE_EVERY_MS = 20 * 60_000;

/** The simulator as a process of its own: SIMULATOR_PORT says where. */
async function main(): Promise<void> {
  const simulator = await createSimulator({ port: new Settings(process.env).get('SIMULATOR_PORT') });
  process.stdout.write(`${JSON.stringify({ level: 30, msg: 'CRM simulator is listening', host: simulator.host })}\n`);
  const retaking = setInterval(() => {
    for (const crm of SIMULATED_CRMS) retakePhoto(simulator.portfolios[crm]);
  }, RETAKE_EVERY_MS);
  retaking.unref();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void simulator.close().then(() => process.exit(0));
    });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
