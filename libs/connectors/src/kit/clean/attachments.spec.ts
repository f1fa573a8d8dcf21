import { listAttachments, type LinkSource, withoutFileLinks } from './attachments';

function read(...sources: LinkSource[]) {
  const warnings: string[] = [];
  const warn = (code: string, field: string, value: string): void => void warnings.push(`${code} ${field} ${value}`);
  const found = listAttachments(sources, 'plans', warn);
  return { found, warnings, warn };
}

const EMPREINTE = expect.stringMatching(/^[0-9a-f]{16}$/) as string;

describe('listAttachments', () => {
  it('keeps URLs with a fingerprint and files with their name, each once and in order', () => {
    const { found, warnings } = read(
      { value: 'https://p.example/a.pdf', titre: ' EG\n' },
      { value: 'FLP_00.JPG' },
      { value: 'https://p.example/a.pdf' },
      { file: 'plan 1', titre: 'Étage' },
      { value: 'flp_00.jpg' },
    );
    expect(found).toEqual([
      { url: 'https://p.example/a.pdf', titre: 'EG', empreinte: EMPREINTE },
      { file: 'FLP_00.JPG', field: 'plans' },
      { file: 'plan 1', field: 'plans', titre: 'Étage' },
    ]);
    expect(warnings).toEqual([]);
  });

  it('gives the same fingerprint to an address whose signature changes', () => {
    const [first, second] = ['1', '2'].map((signature) => {
      const { found, warn } = read({ value: `https://p.example/a.pdf?expires=${signature}&signature=${signature}` });
      return { file: found[0], link: withoutFileLinks(found, warn)[0] };
    });
    expect(first).toMatchObject({ file: { dying: 'https://p.example/a.pdf?expires=1&signature=1' } });
    expect(first!.file).toMatchObject({ file: (second!.file as { file: string }).file });
    expect(first!.link).toMatchObject({ empreinte: second!.link!.empreinte });
  });

  it('names a file whose address expires by its identifier', () => {
    const [one] = read({ value: 'https://p.example/a.pdf?t=1', dyingId: 'p1', titre: 'EG' }).found;
    expect(one).toEqual({ file: 'copy/p1', dying: 'https://p.example/a.pdf?t=1', field: 'plans', titre: 'EG' });
  });

  it('names bytes inside the record by their content', () => {
    const { found } = read({ content: Buffer.from('%PDF-1') }, { content: Buffer.from('%PDF-1') });
    expect(found).toEqual([
      {
        file: expect.stringMatching(/^record\/[0-9a-f]{16}$/) as string,
        content: Buffer.from('%PDF-1'),
        field: 'plans',
      },
    ]);
  });

  it.each(['', ' ', '-', '0', 'null', undefined, null])('ignores the empty value %j', (value) => {
    expect(read({ value })).toMatchObject({ found: [], warnings: [] });
  });

  it.each(['voir agence', 'ftp://p.example/a.pdf', 'javascript:alert(1)'])('warns about %j', (value) => {
    expect(read({ value })).toMatchObject({ found: [], warnings: [`photo_invalid plans ${value}`] });
  });

  it('hides a password in its warning', () => {
    const { found, warnings } = read({ value: 'https://user:secret@p.example/a.pdf' });
    expect([found, warnings]).toEqual([[], ['photo_invalid plans https://…@p.example/a.pdf']]);
  });
});

it('withoutFileLinks keeps addresses, and warns about files', () => {
  const { found, warnings, warn } = read({ value: 'https://p.example/a.pdf' }, { value: 'b.pdf' });
  expect(withoutFileLinks(found, warn)).toEqual([{ url: 'https://p.example/a.pdf', empreinte: EMPREINTE }]);
  expect(warnings).toEqual(['photo_missing plans b.pdf']);
});
