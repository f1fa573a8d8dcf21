import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { format, resolveConfig } from 'prettier';
import { sentenceOf, UsageError } from '../apps/ops/src/errors';
import { TARGET_KINDS, type TargetKind, targetFiles } from './new-target/files';

const ROOT = join(__dirname, '..');
const TARGETS = join(ROOT, 'libs', 'exporters', 'src', 'targets');
const CODE = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const LONGEST_CODE = 40;

/** `npm run new:target -- <code>`: creates a folder that passes the standard suite. */
async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('npm run new:target --')
    .argument('<code>', 'the name of the target in placements: lower-case letters, digits and hyphens')
    .addOption(
      new Option('--transport <transport>', 'whether we upload a file, or the portal reads an address')
        .choices(TARGET_KINDS)
        .default('file' satisfies TargetKind),
    )
    .exitOverride()
    .parse([...argv], { from: 'user' });
  const code = program.args[0] ?? '';
  if (!CODE.test(code) || code.length > LONGEST_CODE)
    throw new UsageError(`"${code}" cannot be a code: lower-case letters, digits and hyphens, a letter first`);
  const folder = join(TARGETS, code);
  if (existsSync(folder)) throw new UsageError(`there is a target "${code}" already`);
  const { transport } = program.opts<{ transport: TargetKind }>();
  for (const [name, content] of Object.entries(targetFiles(code, transport))) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, path.endsWith('.md') ? content : await formatted(path, content));
  }
  const shown = relative(ROOT, folder);
  process.stdout.write(
    [
      `${shown} is there, and passes the tests:`,
      '',
      `  npx jest --selectProjects unit -- ${shown}`,
      '',
      'docs/adding-a-target.md says how to go on.',
      '',
    ].join('\n'),
  );
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
