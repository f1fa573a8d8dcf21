// `npm run check:types [-- folder …]`: the types of the whole project, or of the files below these folders alone. What those
// import is read but not judged, so that a folder is checked in seconds, whatever state the others are in. What the whole project
// came to is remembered in dist/: the next time only what has changed, and what depends on it, is looked at.
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const folders = process.argv.slice(2);
const project = ts.getParsedCommandLineOfConfigFile(
  join(ROOT, 'tsconfig.json'),
  { noEmit: true },
  {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => fail([diagnostic]),
  },
);
const files = folders.length === 0 ? project.fileNames : folders.flatMap(filesBelow);
const host = { rootNames: files, options: project.options, configFileParsingDiagnostics: project.errors };
const diagnostics = folders.length === 0 ? ofProject() : ofFiles();
if (diagnostics.length > 0) fail(ts.sortAndDeduplicateDiagnostics(diagnostics));

function ofProject() {
  const options = { ...project.options, incremental: true, tsBuildInfoFile: join(ROOT, 'dist', 'types.tsbuildinfo') };
  const program = ts.createIncrementalProgram({ ...host, options });
  const found = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSemanticDiagnostics(),
  ];
  // Nothing is written but what was found.
  program.emit();
  return found;
}

function ofFiles() {
  const program = ts.createProgram(host);
  return files.flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)));
}

/** npm runs scripts in the project's root; INIT_CWD is where it was called. */
function filesBelow(folder) {
  const path = resolve(process.env.INIT_CWD ?? '.', folder);
  const found = project.fileNames.filter((file) => file.startsWith(`${path}${sep}`) || file === path);
  if (found.length > 0) return found;
  process.stderr.write(`there is no TypeScript of this project in ${folder}\n`);
  process.exit(2);
}

function fail(diagnostics) {
  const host = { getCurrentDirectory: () => ROOT, getCanonicalFileName: (name) => name, getNewLine: () => '\n' };
  process.stdout.write(ts.formatDiagnosticsWithColorAndContext(diagnostics, host));
  process.exit(1);
}
