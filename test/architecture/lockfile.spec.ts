import { readFromRoot } from './read-from-root';

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFromRoot('package-lock.json')) as { packages: Record<string, LockedPackage> };

describe('package-lock.json', () => {
  it('contains the packages of every platform (else run "node tools/complete-lockfile.mjs")', () => {
    const names = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')));
    const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    );

    expect(wanted.filter((name) => !names.has(name))).toEqual([]);
  });

  it('has a digest for every package (else run "node tools/complete-lockfile.mjs")', () => {
    const unchecked = Object.entries(packages).filter(
      ([path, { integrity, link }]) => path !== '' && link !== true && !/^sha512-/.test(integrity ?? ''),
    );

    expect(unchecked.map(([path]) => path)).toEqual([]);
  });

  it('names no registry', () => {
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
    expect(readFromRoot('package-lock.json')).not.toMatch(/https?:\/\/[^"]*\.tgz/);
  });
});
