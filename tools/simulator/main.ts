import { Settings } from '@passerelle/settings';
import { retakePhoto } from './portfolio';
import { SIMULATED_CRMS } from './property';
import { createSimulator } from './simulator';

/** Retakes a photo at this interval, so that the demo shows a change without user input. */
const RETAKE_EVERY_MS = 20 * 60_000;

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
