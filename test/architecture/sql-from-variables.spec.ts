import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { readFromRoot } from './read-from-root';
import { SQL_FROM_VARIABLES } from './sql-from-variables';

/** Migrations run once, as the database owner, and build all names themselves, so no input reaches them. */
const MIGRATIONS = 'libs/database/src/migrations/';
const ROOT = join(__dirname, '..', '..');
/** Matches the beginning of a statement or of a fragment of a statement. */
const SQL =
  /^\s*(?:WITH|SELECT|INSERT INTO|UPDATE|DELETE FROM|COPY|CREATE|ALTER|DROP|TRUNCATE|LOCK TABLE|GRANT|REVOKE|SET|RESET|BEGIN|NOTIFY|LISTEN|UNLISTEN|ANALYZE|VACUUM|REINDEX|COMMENT ON|DECLARE|FETCH|CLOSE|CALL|DO|EXPLAIN|JOIN|LEFT JOIN|FROM|WHERE|AND|OR|ORDER BY|GROUP BY|LIMIT|VALUES|EXISTS|NOT EXISTS|CASE|ARRAY|COALESCE|ANY|FOREIGN KEY|PRIMARY KEY|CONSTRAINT|ADD|REFERENCES|UNION|EXCEPT|RETURNING|ON CONFLICT)\b/;
/** Matches words that are adjacent only in SQL, anywhere in a text. */
const SQL_INSIDE =
  /\b(?:SELECT [\w*"$({]|INSERT INTO \w|DELETE FROM \w|COPY \w|UPDATE \w+ SET |TO STDOUT|FROM STDIN|JOIN \w+|WHERE [\w("$]|SET \w+ = |ORDER BY \w|IS (?:NOT )?(?:NULL|DISTINCT)|= ANY|GRANT [A-Z]|::(?:text|bigint|int|jsonb|regclass)|make_interval)/;

/** A position where a statement contains an expression that is not constant. */
interface Place {
  path: string;
  line: number;
  /** The expression whose value becomes a part of the statement. */
  expression: string;
}

function sources(): string[] {
  return ['apps', 'libs', 'tools']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((path) => path.endsWith('.ts') && !/\.(?:spec|d)\.ts$|\/(?:testing|__fixtures__)\//.test(path));
}

/** Functions that escape or reject any value. */
const ESCAPING = /^(?:\w+\.)?(?:escapeIdentifier|escapeLiteral|integers)$/;

/** Whether a node is a text, or a concatenation of texts, without a variable. */
function isConstant(node: ts.Node | undefined, constants: ReadonlyMap<string, ts.Expression>, depth = 0): boolean {
  if (node === undefined || depth > 8) return false;
  const isFixed = (one: ts.Node): boolean => isConstant(one, constants, depth + 1);
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return true;
  if (ts.isIdentifier(node)) return isConstant(constants.get(node.text), constants, depth + 1);
  if (ts.isTemplateExpression(node)) return node.templateSpans.every(({ expression }) => isFixed(expression));
  if (ts.isBinaryExpression(node)) return isFixed(node.left) && isFixed(node.right);
  if (!ts.isCallExpression(node)) return false;
  // A call whose arguments are all constant has a constant result. Variables inside the called function are checked
  // where that function uses them.
  const isPlain = ts.isIdentifier(node.expression) && node.arguments.length > 0 && node.arguments.every(isFixed);
  return isPlain || ESCAPING.test(node.expression.getText());
}

/** The top-level constants of a file. */
function constantsOf(file: ts.SourceFile, areExported = false): Map<string, ts.Expression> {
  const constants = new Map<string, ts.Expression>();
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement) || !(statement.declarationList.flags & ts.NodeFlags.Const)) continue;
    if (areExported && statement.modifiers === undefined) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name) && initializer !== undefined) constants.set(name.text, initializer);
    }
  }
  return constants;
}

/**
 * Constants by name. If two files export the same name, it counts as a variable, because an importing file may use
 * either one.
 */
function exportedConstants(texts: readonly string[]): Map<string, ts.Expression> {
  const constants = new Map<string, ts.Expression>();
  const ambiguous = new Set<string>();
  for (const text of texts) {
    for (const [name, value] of constantsOf(ts.createSourceFile('', text, ts.ScriptTarget.Latest, true), true)) {
      if (constants.has(name)) ambiguous.add(name);
      constants.set(name, value);
    }
  }
  for (const name of ambiguous) constants.delete(name);
  return constants;
}

function placesIn(path: string, text: string, exported: ReadonlyMap<string, ts.Expression> = new Map()): Place[] {
  if (!/[A-Z]{2}/.test(text)) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const constants = new Map([...exported, ...constantsOf(file)]);
  const places: Place[] = [];
  const note = (expression: ts.Expression): void => {
    if (isConstant(expression, constants)) return;
    const { line } = file.getLineAndCharacterOfPosition(expression.getStart(file));
    places.push({ path, line: line + 1, expression: expression.getText(file).replace(/\s+/g, ' ') });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateExpression(node) && !ts.isTaggedTemplateExpression(node.parent)) {
      const literal = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join('?');
      if (isSql(literal)) for (const span of node.templateSpans) note(span.expression);
    }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
      for (const [one, other] of [
        [node.left, node.right],
        [node.right, node.left],
      ] as const) {
        if (ts.isStringLiteralLike(one) && isSql(one.text) && !ts.isStringLiteralLike(other)) note(other);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return places;
}

function isSql(text: string): boolean {
  return SQL.test(text) || SQL_INSIDE.test(text);
}

describe('SQL expression built from a variable', () => {
  const paths = sources();
  const exported = exportedConstants(
    paths.map((path) => readFromRoot(path)).filter((text) => text.includes('export const ')),
  );
  const found = paths
    .filter((path) => !path.startsWith(MIGRATIONS))
    .flatMap((path) => placesIn(path, readFromRoot(path), exported));

  it('is listed with the reason why the variable cannot contain text from outside', () => {
    const unlisted = found
      .filter(({ path, expression }) => SQL_FROM_VARIABLES[path]?.[expression] === undefined)
      .map(({ path, line, expression }) => `${path}:${line} puts \${${expression}} into SQL`);
    // Use a parameter ($1). If that is impossible, escape with `pg.escapeIdentifier` and list the expression with its
    // reason.
    expect(unlisted).toEqual([]);
  });

  it('exists for each entry of the list', () => {
    const gone = Object.entries(SQL_FROM_VARIABLES).flatMap(([path, reasons]) =>
      Object.keys(reasons)
        .filter((expression) => !found.some((place) => place.path === path && place.expression === expression))
        .map((expression) => `${path}: ${expression}`),
    );
    expect(gone).toEqual([]);
  });

  it('is found in templates, in concatenations and behind names that are not constant', () => {
    const at = (text: string): string[] => placesIn('x.ts', text).map(({ expression }) => expression);
    expect(at('q(`SELECT 1 FROM ${name}`)')).toEqual(['name']);
    expect(at('q(`COPY ${table} FROM STDIN`)')).toEqual(['table']);
    expect(at("q('SELECT 1 FROM ' + name)")).toEqual(['name']);
    expect(at('const A = f(); q(`UPDATE gateway SET x = ${A}`)')).toEqual(['A']);
    expect(at("const A = 'a'; const B = `${A} b`; q(`UPDATE gateway SET x = ${B}`)")).toEqual([]);
    const [first, second] = ["export const A = 'a';", 'export const A = f();'];
    const using = (...texts: string[]): Place[] =>
      placesIn('x.ts', 'q(`SELECT ${A} FROM x`)', exportedConstants(texts));
    expect(using(first)).toEqual([]);
    expect(using(second, first)).toHaveLength(1);
    expect(at('say(`the gateway ${name} is gone`)')).toEqual([]);
  });
});
