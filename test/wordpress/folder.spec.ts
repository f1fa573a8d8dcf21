import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DUTY_CODES } from '@passerelle/domain';
import { commandOnPath } from '../support/command-on-path';

const CLIENTS = join(__dirname, '../../clients');
const PLUGIN = join(CLIENTS, 'wordpress/passerelle');
const sources = readdirSync(PLUGIN, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.php'));

describe('plugin folder', () => {
  it('contains an unchanged copy of the PHP client', () => {
    expect(readFileSync(join(PLUGIN, 'lib/Passerelle.php'), 'utf8')).toBe(
      readFileSync(join(CLIENTS, 'php/Passerelle.php'), 'utf8'),
    );
  });

  it('has a French translation of each text, and no unused translation', () => {
    const text = sources.map((name) => readFileSync(join(PLUGIN, name), 'utf8')).join('\n');
    const said = [
      ...text.matchAll(
        /(?:__|esc_html__|esc_html_e|esc_attr_e|_n)\('((?:[^'\\]|\\.)*)', (?:'((?:[^'\\]|\\.)*)', )?[^;]*?'passerelle'\)/g,
      ),
    ].flatMap(([, one = '', many]) => [one, ...(many === undefined || many === 'passerelle' ? [] : [many])]);
    for (const file of ['passerelle-fr_FR.po', 'passerelle.pot']) {
      const page = readFileSync(join(PLUGIN, 'languages', file), 'utf8');
      const known = [...page.matchAll(/^msgid(?:_plural)? "(.+)"$/gm)].map(([, id = '']) => id.replaceAll('\\"', '"'));
      expect({ file, ids: [...new Set(known)].sort() }).toEqual({ file, ids: [...new Set(said)].sort() });
    }
    const french = readFileSync(join(PLUGIN, 'languages/passerelle-fr_FR.po'), 'utf8');
    expect(french.replace(/^msgid ""\nmsgstr ""/m, '')).not.toContain('msgstr ""');
  });

  it.each(['es_ES', 'nl_NL', 'de_DE', 'it_IT'])('translates the texts for visitors into %s', (locale) => {
    const visitors = [
      'templates',
      'src/Words',
      'src/Particulars',
      'src/Prices',
      'src/Mortgage',
      'src/Rents',
      'src/Numbers',
      'src/EnergyLabels',
      'src/Pages',
      'src/EnquiryForm',
      'src/Map.php',
      'src/Share.php',
      'src/Search',
      'src/Gallery.php',
      'src/Badges.php',
      'src/Breadcrumbs.php',
      'src/Similar.php',
      'src/Alert',
    ];
    const read = sources
      .filter((name) => visitors.some((start) => name.startsWith(start)))
      .map((name) => readFileSync(join(PLUGIN, name), 'utf8'))
      .join('\n');
    const said = [...read.matchAll(/(?:__|esc_html_e|esc_attr_e|_n)\('((?:[^'\\]|\\.)*)'/g)].map(([, id = '']) => id);
    const page = readFileSync(join(PLUGIN, `languages/passerelle-${locale}.po`), 'utf8');
    const known = new Set([...page.matchAll(/^msgid "(.+)"\nmsg(?:str|id_plural) ".+"$/gm)].map(([, id = '']) => id));
    expect(said.filter((id) => !known.has(id))).toEqual([]);
  });

  const LOCALES = ['fr_FR', 'es_ES', 'nl_NL', 'de_DE', 'it_IT'];
  (commandOnPath('msgfmt') ? it.each(LOCALES) : it.skip.each(LOCALES))(
    'has the compiled texts of %s',
    async (locale) => {
      const po = join(PLUGIN, `languages/passerelle-${locale}.po`);
      const { stdout } = await promisify(execFile)('msgfmt', ['--check-format', '-o', '-', po], { encoding: 'buffer' });
      expect(stdout.equals(readFileSync(po.replace(/\.po$/, '.mo')))).toBe(true);
    },
  );

  it('says what to do about each duty that a gateway can report', () => {
    const known = readFileSync(join(PLUGIN, 'src/Duties.php'), 'utf8');
    expect(DUTY_CODES.filter((code) => !known.includes(`'${code}' => [`))).toEqual([]);
  });

  it('states the same version and requirements everywhere', () => {
    const main = readFileSync(join(PLUGIN, 'passerelle.php'), 'utf8');
    const readme = readFileSync(join(PLUGIN, 'readme.txt'), 'utf8');
    const [, version = ''] = /Version: +(.+)/.exec(main) ?? [];
    expect(main).toContain(`const VERSION = '${version}';`);
    expect(readme).toContain(`Stable tag: ${version}\n`);
    expect(readme).toContain(`= ${version} =`);
    for (const demand of ['Requires at least', 'Requires PHP']) {
      const value = (page: string): string | undefined => new RegExp(`${demand}: +(.+)`).exec(page)?.[1];
      expect(value(main)).toBe(value(readme));
    }
  });

  it('contains no file that runs without WordPress', () => {
    const open = sources.filter((name) => {
      const text = readFileSync(join(PLUGIN, name), 'utf8');
      return !/ABSPATH|WP_UNINSTALL_PLUGIN/.test(text) && !/^(?:src|lib)\//.test(name);
    });
    expect(open).toEqual([]);
  });

  it('uses only features of PHP 7.4', () => {
    const newer =
      /\?->|\bmatch ?\(|\benum\b|\breadonly\b|: (?:mixed|never|static)\b|str_(?:contains|starts_with|ends_with)\(|#\[|\bint\|/;
    const using = sources.filter((name) =>
      newer.test(
        readFileSync(join(PLUGIN, name), 'utf8')
          .replace(/\/\*\*[\s\S]*?\*\//g, '')
          .replace(/\/\/.*/g, ''),
      ),
    );
    expect(using).toEqual([]);
  });
});
