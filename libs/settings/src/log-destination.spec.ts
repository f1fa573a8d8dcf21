import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { LOG_DESTINATION } from './settings';

// Real: a process with pino. Its log pipe has no reader.
it('a process exits with its own code when its log pipe is closed', async () => {
  const program = `
    const { pino } = require('pino');
    const log = pino({}, pino.destination(${JSON.stringify(LOG_DESTINATION)}));
    process.stdin.once('data', () => {
      for (const word of ['some', 'last', 'words']) log.warn(word);
      process.exit(7);
    });`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdout.destroy();
  await once(child.stdout, 'close');
  child.stdin.write('now');
  const patience = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(patience);
  expect(code).toBe(7);
});
