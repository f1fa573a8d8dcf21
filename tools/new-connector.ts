import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { format, resolveConfig } from 'prettier';
import { sentenceOf, UsageError } from '../apps/ops/src/errors';
import { connectorFiles } from './new-connector/files';
import { simulatorFiles } from './new-connector/simulator';
import { promptForKind } from './new-connector/prompt';
import { CONNECTOR_KINDS, type ConnectorKind, type RecordNames, USUAL_NAMES } from './new-connector/kinds';

const ROOT = join(__dirname, '..');
const SOURCES = join(ROOT, 'libs', 'connectors', 'src', 'sources');
const CODE = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const LONGEST_CODE = 40;
/** The name of an element or a member. */
const NAME = /^[A-Za-z_][\w.-]*$/;

/** `npm run new:connector -- <code>`: creates a folder that passes the standard suite. */
async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('npm run new:connector --')
    .argument('<code>', 'the `crm` of its gateways: lower-case letters, digits and hyphens')
    .addOption(
      new Option(
        '--type <type>',
        'the format of the CRM: an XML file, a ZIP with one, a paged API, an API that lists summaries and serves each listing separately, an API that sends webhooks, a JSON file',
      ).choices(CONNECTOR_KINDS),
    )
    .option(
      '--root <name>',
      'the root element of the XML, or the member of the JSON that is the list',
      USUAL_NAMES.root,
    )
    .option('--record <name>', 'the element of one record', USUAL_NAMES.record)
    .exitOverride()
    .parse([...argv], { from: 'user' });
  const code = parseCode(program.args[0] ?? '');
  const { type: wanted, root, record } = program.opts<{ type?: ConnectorKind } & RecordNames>();
  for (const name of [root, record]) if (!NAME.test(name)) throw new UsageError(`"${name}" cannot be a name`);
  const folder = join(SOURCES, code);
  if (existsSync(folder)) throw new UsageError(`there is a connector "${code}" already`);
  const type = wanted ?? (await promptForKind(process.stdin, process.stdout));
  const simulator = simulatorFiles(code, type, { root, record });
  const files = [
    ...Object.entries(connectorFiles(code, type, { root, record })).map(
      ([name, content]) => [join(folder, name), content] as const,
    ),
    ...Object.entries(simulator).map(([name, content]) => [join(ROOT, name), content] as const),
  ];
  const there = files.find(([path]) => existsSync(path));
  if (there !== undefined) throw new UsageError(`there is ${relative(ROOT, there[0])} already`);
  for (const [path, content] of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, path.endsWith('.ts') ? await formatted(path, content) : content);
  }
  const shown = relative(ROOT, folder);
  process.stdout.write(
    [
      `${[shown, ...Object.keys(simulator)].join(', ')} ${Object.keys(simulator).length > 0 ? 'are' : 'is'} there, and pass${Object.keys(simulator).length > 0 ? '' : 'es'} the tests:`,
      '',
      `  npx jest --selectProjects unit -- ${[shown, ...Object.keys(simulator).filter((name) => name.endsWith('.spec.ts'))].join(' ')}`,
      `  npm run try -- ${code} ${shown}/__fixtures__/${type === 'xml' || type === 'zip' ? 'feed.xml' : 'feed.json'}`,
      '',
      'docs/adding-a-connector.md says how to go on.',
      '',
    ].join('\n'),
  );
}

function parseCode(code: string): string {
  if (CODE.test(code) && code.length <= LONGEST_CODE) return code;
  throw new UsageError(`"${code}" cannot be a code: lower-case letters, digits and hyphens, a letter first`);
}

async function formatted(path: string, content: string): Promise<string> {
  return format(content, { ...(await resolveConfig(path)), filepath: path });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  // Commander has already printed the error.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    process.stderr.write(`error: ${sentenceOf(error)}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
});
