import type { Command } from 'commander';

/** The name of the command line, for examples and errors. */
export const CALL = 'npm run ops --';

/** The help of the option that `restore` and `gateway import` share. */
export const ACCEPT_FOREIGN = 'takes files that this installation did not sign: give it only if you trust their origin';

/** A command with its texts for `--help`: a sentence and an example. */
export function addCommand(parent: Command, usage: string, sentence: string, example: string): Command {
  return parent.command(usage).description(sentence).addHelpText('after', `\nExample:\n  ${CALL} ${example}`);
}

/** The two options that name a gateway. */
export interface GatewayName {
  crm: string;
  client: string;
}

/** A command about one gateway. */
export function addGatewayCommand(parent: Command, usage: string, sentence: string, example: string): Command {
  return addCommand(parent, usage, sentence, example)
    .requiredOption('--crm <code>', 'the connector')
    .requiredOption('--client <slug>', 'the client');
}
