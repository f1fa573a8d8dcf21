import { type Connector, type FeedTrial, isFailed, loadRegistry, tryFeed } from '@passerelle/connectors';
import { Command, CommanderError } from 'commander';
import { sentenceOf, UsageError } from '../apps/ops/src/errors';
import { parseCredentials } from '../apps/ops/src/options/source-options';
import { parseNamedValues, parseWholeNumber } from '../apps/ops/src/options/values';
import { renderListing, renderTrial } from './try/render';
import { openSource } from './try/source';

interface Options {
  set?: string[];
  credential?: string[];
  limit: string;
  show?: string;
  json?: true;
}

/** `npm run try -- <code> <file-or-url>`: shows a connector's result for a feed, without a database. */
async function main(argv: readonly string[]): Promise<number> {
  const connectors = (await loadRegistry()).list();
  const program = new Command('npm run try --')
    .argument('<code>', `the connector: ${connectors.map(({ code }) => code).join(', ')}`)
    .argument('<file-or-url>', 'a file of this machine, or an address as gateways have them')
    .option('--set <name=value...>', 'a setting of the connector')
    .option('--credential <name=value...>', 'a credential of the source')
    .option('--limit <count>', 'how many listings and rejections are listed', '10')
    .option('--show <affId>', 'prints one complete listing and its raw record')
    .option('--json', 'one JSON value instead of tables, with every listing')
    .exitOverride()
    .parse([...argv], { from: 'user' });
  const [code = '', place = ''] = program.args;
  const options = program.opts<Options>();
  const limit = parseWholeNumber('--limit', options.limit);
  const trial = await tryOn(connectorOf(connectors, code), place, options, limit);
  if (options.json === true) print(JSON.stringify(trial, null, 2));
  else if (options.show === undefined) print(renderTrial(trial, limit));
  else print(renderListing(trial, options.show));
  return isFailed(trial) ? 1 : 0;
}

function tryOn(connector: Connector, place: string, options: Options, limit: number): Promise<FeedTrial> {
  const { set = [], credential = [], json, show } = options;
  const feed = {
    ...openSource(connector, place, process.env),
    settings: parseNamedValues('--set', set, connector.settings),
    credentials: parseCredentials(credential, connector),
  };
  return tryFeed(connector, feed, (listing, ahead) =>
    show === undefined ? json === true || ahead < limit : listing.affId === show || listing.affNum === show,
  );
}

function connectorOf(connectors: readonly Connector[], code: string): Connector {
  const connector = connectors.find((known) => known.code === code);
  if (connector !== undefined) return connector;
  throw new UsageError(`"${code}" is no connector; there are: ${connectors.map((known) => known.code).join(', ')}`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

main(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    // Commander has already printed the error.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else {
      process.stderr.write(`error: ${sentenceOf(error)}\n`);
      process.exitCode = error instanceof UsageError ? 2 : 1;
    }
  },
);
