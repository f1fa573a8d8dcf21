import ts from 'typescript';

/** A text that people read: a comment, the title of a test, a string of several words, or a paragraph of a page. */
export interface Passage {
  kind: 'comment' | 'title' | 'string' | 'paragraph' | 'heading';
  line: number;
  /** The text without comment marks, with the same line breaks as in the file. */
  text: string;
  start: number;
  end: number;
}

type Span = Pick<Passage, 'kind' | 'start' | 'end'>;

const { SyntaxKind } = ts;
const TEST_FUNCTIONS = new Set(['describe', 'it', 'test']);
const COMMENTS = new Set([SyntaxKind.SingleLineCommentTrivia, SyntaxKind.MultiLineCommentTrivia]);
const TRIVIA = new Set([...COMMENTS, SyntaxKind.WhitespaceTrivia, SyntaxKind.NewLineTrivia]);
const OPENING = new Set([SyntaxKind.OpenBraceToken, SyntaxKind.OpenParenToken, SyntaxKind.OpenBracketToken]);
const CLOSING = new Set([SyntaxKind.CloseBraceToken, SyntaxKind.CloseParenToken, SyntaxKind.CloseBracketToken]);
const STRINGS = new Set([
  ...[SyntaxKind.StringLiteral, SyntaxKind.NoSubstitutionTemplateLiteral],
  ...[SyntaxKind.TemplateHead, SyntaxKind.TemplateMiddle, SyntaxKind.TemplateTail],
]);
/** After one of these tokens a slash means division, otherwise a regular expression begins. */
const ENDS_OF_VALUES = new Set([
  ...[SyntaxKind.Identifier, SyntaxKind.NumericLiteral, SyntaxKind.ThisKeyword],
  ...[SyntaxKind.CloseParenToken, SyntaxKind.CloseBracketToken, SyntaxKind.CloseBraceToken, ...STRINGS],
]);
const SQL =
  /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE|FROM|JOIN|VALUES|ON CONFLICT|ORDER BY|CREATE|ALTER|DROP)\b|::\w/;
const TYPESCRIPT_COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
const PHP =
  /\?>(?<html>[\s\S]*?)(?:<\?php|<\?=|$)|(?<comment>\/\*[\s\S]*?\*\/|\/\/[^\n]*|(?<=^|\s)#(?!\[)[^\n]*)|(?<string>'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*")/g;
const HASH_COMMENT = /(?<=^|\s)#(?!!)[^\n]*/g;
const READABLE = /\p{L}{2}\s+\p{L}/u;

export function passagesOf(path: string, source: string): Passage[] {
  if (/\.(?:[cm]?js|ts)$/.test(path)) return fromSpans(source, spansOfTypeScript(path, source));
  if (path.endsWith('.php')) return fromSpans(source, spansOfPhp(source));
  if (path.endsWith('.css')) return fromSpans(source, matches(source, TYPESCRIPT_COMMENT, 'comment'));
  if (path.endsWith('.json')) return fromSpans(source, matches(source, /"(?:\\.|[^"\\])*"/g, 'string'));
  if (/\.(?:md|txt)$/.test(path)) return paragraphsOf(source);
  const comments = matches(source, HASH_COMMENT, 'comment');
  // Read the remaining lines of a script, YAML file or template one by one, because they mix short texts and code.
  const others = matches(blank(source, comments), /\S(?:[^\n]*\S)?/g, 'string');
  return fromSpans(source, [...comments, ...others]);
}

/** Uses only the scanner, because parsing every file takes ten times as long. */
function spansOfTypeScript(path: string, source: string): Span[] {
  const found: Span[] = [];
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, source);
  const isSpec = /\.spec\.ts$|^test\//.test(path);
  const braces: number[] = [];
  let depth = 0;
  let before = SyntaxKind.SemicolonToken;
  let testDepth: number | undefined;
  for (let token = scanner.scan(); token !== SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    const isComment = COMMENTS.has(token);
    if (token === SyntaxKind.SlashToken && !ENDS_OF_VALUES.has(before)) token = scanner.reScanSlashToken();
    if (token === SyntaxKind.CloseBraceToken && braces.at(-1) === depth) {
      token = scanner.reScanTemplateToken(false);
      if (token === SyntaxKind.TemplateTail) braces.pop();
    } else if (OPENING.has(token)) depth += 1;
    else if (CLOSING.has(token)) depth -= 1;
    if (token === SyntaxKind.TemplateHead) braces.push(depth);
    const span = { start: scanner.getTokenStart(), end: scanner.getTokenEnd() };
    if (isComment) found.push({ kind: 'comment', ...span });
    if (TEST_FUNCTIONS.has(scanner.getTokenText())) testDepth = depth;
    if (STRINGS.has(token)) {
      const isTitle = before === SyntaxKind.OpenParenToken && testDepth === depth - 1;
      if (isTitle) testDepth = undefined;
      if (isTitle || !isSpec) found.push({ kind: isTitle ? 'title' : 'string', ...span });
    }
    if (!TRIVIA.has(token)) before = token;
  }
  return found;
}

function spansOfPhp(source: string): Span[] {
  return [...source.matchAll(PHP)].map(({ 0: all, index, groups }) => ({
    kind: groups?.['comment'] === undefined ? 'string' : 'comment',
    start: index,
    end: index + all.length,
  }));
}

function matches(source: string, pattern: RegExp, kind: Passage['kind']): Span[] {
  return [...source.matchAll(pattern)].map(({ 0: all, index }) => ({ kind, start: index, end: index + all.length }));
}

/** Replaces the spans by spaces, so that the rest keeps its position. */
function blank(source: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (start < at) continue;
    pieces.push(source.slice(at, start), source.slice(start, end).replace(/[^\n]/g, ' '));
    at = end;
  }
  return [...pieces, source.slice(at)].join('');
}

function fromSpans(source: string, spans: readonly Span[]): Passage[] {
  const joined: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    // Consecutive lines with `//` or `#` are one comment.
    const follows =
      last?.kind === 'comment' && span.kind === 'comment' && /^\n[ \t]*$/.test(source.slice(last.end, span.start));
    if (follows && !source.startsWith('/*', span.start)) last.end = span.end;
    else joined.push({ ...span });
  }
  let line = 1;
  let counted = 0;
  return joined
    .map((span) => {
      line += source.slice(counted, span.start).split('\n').length - 1;
      counted = span.start;
      const text = source.slice(span.start, span.end);
      return { ...span, line, text: span.kind === 'comment' ? withoutMarks(text) : text };
    })
    .filter(({ kind, text }) => kind !== 'string' || (READABLE.test(text) && !SQL.test(text)));
}

function withoutMarks(comment: string): string {
  return comment.replace(/^[ \t]*(?:\/\*\*?|\/\/+|#+|\*(?!\/))?/gm, '').replace(/\*\/$/, '');
}

/** The paragraphs, items and cells of a Markdown page, without code. */
function paragraphsOf(source: string): Passage[] {
  const found: Passage[] = [];
  let start = 0;
  let isCode = false;
  let open: Passage | undefined;
  const lines = source.split('\n');
  for (const [index, line] of lines.entries()) {
    const at = { line: index + 1, start, end: start + line.length };
    start += line.length + 1;
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    if (isFence || isCode || line.trim() === '' || /^[|+:=\s-]+$/.test(line)) {
      open = undefined;
    } else if (/^\s*\|/.test(line)) {
      const kind = /^\s*\|[-|: ]+$/.test(lines[index + 1] ?? '') ? 'heading' : 'paragraph';
      found.push(...line.split(/(?<!\\)\|/).map((text) => ({ ...at, kind, text }) as const));
      open = undefined;
    } else if (open === undefined || /^\s*(?:[-*+]|\d+\.|#+|=+)\s/.test(line)) {
      open = { ...at, kind: /^\s*[#=]/.test(line) ? 'heading' : 'paragraph', text: line };
      found.push(open);
    } else {
      open.text += `\n${line}`;
      open.end = at.end;
    }
  }
  return found;
}
