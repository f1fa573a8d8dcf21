import type { Command } from 'commander';

/** How the command line is called; also in every example. */
export const CALL = 'npm run ops --';

/** A word with its sentence and an example of its use, for `--help`. */
export function addWord(parent: Command, usage: string, sentence: string, example: string): Command {
  return parent.command(usage).description(sentence).addHelpText('after', `\nExample:\n  ${CALL} ${example}`);
}

/** The two options that name a gateway. */
export interface GatewayName {
  crm: string;
  client: string;
}

/** A word about one gateway. */
export function addGatewayWord(parent: Command, usage: string, sentence: string, example: string): Command {
  return addWord(parent, usage, sentence, example)
    .requiredOption('--crm <code>', 'the connector')
    .requiredOption('--client <slug>', 'the client');
}
