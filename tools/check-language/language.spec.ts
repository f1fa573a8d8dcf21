import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { passagesOf } from './passages';
import { findingsIn, findingsInTitle } from './patterns';

const ROOT = join(__dirname, '..', '..');

const patternsIn = (text: string): string[] =>
  findingsIn({ kind: 'comment', line: 1, text, start: 0, end: text.length }).map(({ pattern }) => pattern);

describe('patterns of unclear language', () => {
  it.each([
    ['a clause as a subject', 'It is kept. What must come is waited upon.'],
    ['a clause as a subject', '- Who asks gets 401.'],
    ['a fragment in the genitive', 'Of an attempt without lines.'],
    ['no actor', 'a log that nobody reads'],
    ['of which, of whom', 'two hosts, of\nwhich one writes'],
    ['anew', 'NOTICE is written anew.'],
    ['told of', 'The plugin was not told.'],
    ['told of', 'A line tells of it.'],
    ['passive of a wait', 'The event is never waited for.'],
    ['in the place of', 'It is put in the place of the old one.'],
    ['by turns', 'Hosts work by turns.'],
    ['for good', 'The address is gone for good.'],
    ['at once', 'It stops at once.'],
    ['but for', 'All is equal but for the date.'],
    ['the … before', 'It keeps the release before.'],
    ['stands in, stands for', 'The value stands in a file.'],
    ["one's own", "one's own key"],
  ])('finds %s', (pattern, text) => {
    expect(patternsIn(text)).toEqual([pattern]);
  });

  it.each([
    ['a question', 'What does it cost?'],
    ['code', 'Set `nobody` as the user.'],
    ['the target of a link', 'See [decision 9](0009-nobody.md).'],
    ['a word that contains a pattern', 'It understands forgood.'],
    ['an order in time', 'Check the release before you install it.'],
  ])('ignores %s', (_what, text) => {
    expect(patternsIn(text)).toEqual([]);
  });

  it('reports the line and the whole sentence', () => {
    const text = ' One.\n Two is\n there for good. Three.';
    expect(findingsIn({ kind: 'comment', line: 7, text, start: 0, end: 0 })).toEqual([
      { line: 9, pattern: 'for good', sentence: 'Two is there for good.' },
    ]);
  });

  it('checks the length and the words of commit titles', () => {
    expect(findingsInTitle('fix: exit when stdout is a broken pipe')).toEqual([]);
    expect(findingsInTitle('test: what must come is here').map(({ pattern }) => pattern)).toEqual([
      'a clause as a subject',
    ]);
    expect(findingsInTitle(`fix: ${'long '.repeat(14)}`)[0]?.pattern).toBe('over 72 characters');
  });
});

describe('passagesOf', () => {
  const read = (path: string, source: string) =>
    passagesOf(path, source).map(({ kind, line, text }) => [kind, line, text.trim().replace(/\s+/g, ' ')]);

  it('returns comments and sentences in TypeScript, but no code and no SQL', () => {
    const source = [
      '// first',
      '// second',
      "const pattern = /'[/]/; const half = 4 / 2;",
      '/**',
      ' * third',
      ' */',
      "log(`of // the run ${'of'} has ended`, 'x', 'SELECT a FROM b WHERE c');",
    ].join('\n');
    expect(read('a.ts', source)).toEqual([
      ['comment', 1, 'first second'],
      ['comment', 4, 'third'],
      ['string', 7, '`of // the run ${'],
      ['string', 7, '} has ended`'],
    ]);
  });

  it('returns the titles of a spec, but not its data', () => {
    const source = "describe('unit', () => {\n  it.each(['a b c'])('does %s', () => expect('d e f').toBe(1));\n});";
    expect(read('a.spec.ts', source)).toEqual([
      ['title', 1, "'unit'"],
      ['title', 2, "'does %s'"],
    ]);
  });

  it('returns comments, strings and HTML in PHP', () => {
    expect(read('a.php', "<?php\n# one\n$a = 'it\\'s two words'; ?>\n<p>and a paragraph</p>\n<?php")).toEqual([
      ['comment', 2, 'one'],
      ['string', 3, "'it\\'s two words'"],
      ['string', 3, '?> <p>and a paragraph</p> <?php'],
    ]);
  });

  it('returns paragraphs, items and cells of Markdown, but not its code', () => {
    const source = '# Title\ntext\nof it\n\n- item\n\n```\ncode\n```\n\n| head |\n|---|\n| cell |';
    expect(read('a.md', source).filter(([, , text]) => text !== '')).toEqual([
      ['heading', 1, '# Title text of it'],
      ['paragraph', 5, '- item'],
      ['heading', 11, 'head'],
      ['paragraph', 13, 'cell'],
    ]);
  });

  it('separates the comments of YAML from its lines', () => {
    expect(read('a.yml', 'summary: the API is down # of all\n# last')).toEqual([
      ['string', 1, 'summary: the API is down'],
      ['comment', 1, 'of all last'],
    ]);
  });
});

describe('npm run check:language', () => {
  let folder: string;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: folder });
  const check = (...args: string[]) => {
    const program = [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), join(ROOT, 'tools/check-language.ts')];
    return spawnSync(process.execPath, [...program, ...args], { cwd: folder, encoding: 'utf8' });
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'language-'));
    git('init', '-q');
    mkdirSync(join(folder, 'tools'));
    writeFileSync(join(folder, 'tools/check-language.ts'), '// plain\n');
    git('add', '.');
    git('commit', '-qm', 'what was committed earlier');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('fails and prints the findings in the given folders and in new commit titles', () => {
    writeFileSync(join(folder, 'tools/a.ts'), '\n// It is there for good.\n');
    git('add', '.');
    git('commit', '-qm', 'fix: nobody waits');
    const { status, stdout } = check('tools');
    expect(stdout).toBe('tools/a.ts:2: for good: It is there for good.\ncommit: no actor: nobody waits\n');
    expect(status).toBe(1);
  });

  it('succeeds without findings', () => {
    expect(check('tools')).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });
});
