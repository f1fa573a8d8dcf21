import { createSimulator } from './simulator';

/** The simulator as a process of its own: SIMULATOR_PORT says where. */
async function main(): Promise<void> {
  const simulator = await createSimulator({ port: Number(process.env['SIMULATOR_PORT'] ?? 3002) });
  process.stdout.write(`${JSON.stringify({ level: 30, msg: 'CRM simulator is listening', host: simulator.host })}\n`);
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
