// `npm run check:types [-- folder …]`: the types of the whole project, or of the files below these folders alone. What those
// import is read but not judged, so that a folder is checked in seconds, whatever state the others are in.
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
const program = ts.createProgram({
  rootNames: files,
  options: project.options,
  configFileParsingDiagnostics: project.errors,
});
const diagnostics =
  folders.length === 0
    ? ts.getPreEmitDiagnostics(program)
    : files.flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)));
if (diagnostics.length > 0) fail(ts.sortAndDeduplicateDiagnostics(diagnostics));

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
