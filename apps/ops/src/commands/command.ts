import type { Command } from 'commander';

export const CALL = 'npm run ops --';

/** The help of the option that `restore` and `gateway import` share. */
export const ACCEPT_FOREIGN = 'takes files that this installation did not sign: give it only if you trust their origin';

export function addCommand(parent: Command, usage: string, sentence: string, example: string): Command {
  return parent.command(usage).description(sentence).addHelpText('after', `\nExample:\n  ${CALL} ${example}`);
}

export interface GatewayName {
  crm: string;
  client: string;
}

export function addGatewayCommand(parent: Command, usage: string, sentence: string, example: string): Command {
  return addCommand(parent, usage, sentence, example)
    .requiredOption('--crm <code>', 'the connector')
    .requiredOption('--client <slug>', 'the client');
}
