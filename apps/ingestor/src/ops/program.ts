import { Command } from 'commander';
import type { Session } from './session';
import { addConnectors } from './words/connectors';
import { addGatewayWords } from './words/gateway';
import { addIngest } from './words/ingest';
import { addRejections } from './words/rejections';
import { addRunWords } from './words/run';
import { addRuns } from './words/runs';
import { addWhy } from './words/why';
import { CALL } from './words/word';

/** Every word of the command line. It throws where commander would end the process. */
export function buildProgram(session: Session, isJson: boolean): Command {
  const { io } = session;
  const program = new Command(CALL)
    .description("The operators' command line of Passerelle.")
    .option('--json', 'prints one JSON value')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => {
        io.out(text);
      },
      // Help that is shown for want of a word; errors are thrown, and reported by whoever catches them.
      writeErr: (text) => {
        if (!isJson) io.err(text);
      },
      outputError: () => undefined,
      getOutHelpWidth: () => io.columns ?? 100,
      getErrHelpWidth: () => io.columns ?? 100,
    })
    .exitOverride();
  addGatewayWords(program, session);
  addIngest(program, session);
  addRuns(program, session);
  addRunWords(program, session);
  addRejections(program, session);
  addWhy(program, session);
  addConnectors(program, session);
  return program;
}
