import 'reflect-metadata';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants';
import ts from 'typescript';
import { parseConfig } from '../../apps/console/src/config';
import { ConsoleModule } from '../../apps/console/src/console.module';
import { EN } from '../../apps/console/src/language/en';
import { FR } from '../../apps/console/src/language/fr';

const CONSOLE = join(__dirname, '../../apps/console/src');
/**
 * Words that are the same in every language. Names of columns and options stay untranslated because operators type
 * them.
 */
const SAME = /^(?:Passerelle|CRM|JSON|CSV|SHA|UTC|crm|client|run|source|every|contract|end|credential|set|NAME)$/;
const ATTRIBUTES = /\s(?:aria-label|alt|placeholder|title)="([^"]*)"/g;

/** The template of an attribute contains no tag, because another template inserts it into an element. */
const ATTRIBUTE_ALONE = /\b(?:aria-\w+|class)="[^"]*"|\b(?:selected|checked|open|required|disabled)\b/g;

/** Words that are directly in the HTML of a file, and so are not translated. */
function ownWords(path: string): string[] {
  const words: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'html') {
      const { template } = node;
      const parts = ts.isNoSubstitutionTemplateLiteral(template)
        ? [template.text]
        : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];
      const page = parts.join('\0');
      const attributes = [...page.matchAll(ATTRIBUTES)].map(([, text = '']) => text);
      // Each piece starts inside a tag, except the first piece.
      const pieces = page.split('<').map((piece, index) => (index === 0 ? piece : piece.slice(piece.indexOf('>') + 1)));
      const text = pieces.join(' ').replace(ATTRIBUTE_ALONE, ' ');
      words.push(...[text, ...attributes].flatMap((one) => one.replace(/&\w+;/g, ' ').match(/\p{L}{3,}/gu) ?? []));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
  return words.filter((word) => !SAME.test(word));
}

/** All texts of a catalogue with their paths. A text with placeholders is a function, shown as its source code. */
function sayings(texts: unknown, path = ''): [string, string][] {
  if (typeof texts === 'string' || typeof texts === 'function') return [[path, String(texts)]];
  return Object.entries(texts as object).flatMap(([name, text]) => sayings(text, `${path}.${name}`));
}

describe('console pages', () => {
  const files = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.spec)\.ts$/.test(name),
  );

  it('contain only words from the catalogue of English and French texts', () => {
    const own = files.map((file) => [file, ownWords(join(CONSOLE, file))] as const);
    expect(own.filter(([, words]) => words.length > 0)).toEqual([]);
  });

  it('have a French text for each English sentence', () => {
    const french = new Map(sayings(FR));
    const sentences = sayings(EN).filter(([, text]) => text.split(' ').length > 3);
    expect(sentences.length).toBeGreaterThan(100);
    expect(sentences.filter(([path, text]) => french.get(path) === text)).toEqual([]);
  });

  it('declare a role for each POST action', () => {
    const config = parseConfig({
      ...{ DATABASE_URL: 'postgres://x.example/x', SECRETS_KEY: 's'.repeat(32), CONSOLE_SECRET: 'c'.repeat(32) },
    });
    const module = ConsoleModule.forRoot({ config, log: {} as never, clock: () => new Date(0), declared: [] });
    const controllers = (module.controllers ?? []) as Type<object>[];
    const acts = controllers.flatMap((controller) =>
      Object.values(Object.getOwnPropertyDescriptors(controller.prototype)).flatMap(
        ({ value }: { value?: unknown }) => {
          if (typeof value !== 'function' || Reflect.getMetadata(METHOD_METADATA, value) !== RequestMethod.POST)
            return [];
          const role: unknown =
            Reflect.getMetadata('needed-role', value) ?? Reflect.getMetadata('needed-role', controller);
          return [{ act: `${controller.name}.${value.name}`, role }];
        },
      ),
    );
    expect(acts.length).toBeGreaterThan(10);
    expect(acts.filter(({ role }) => role === undefined)).toEqual([]);
  });
});
