import { z } from 'zod';

const LOCKFILE = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), license: z.string().optional(), dev: z.boolean().optional() }),
  ),
});

/** Licences from the packages themselves, because package-lock.json lacks them. */
const LICENCES: Readonly<Record<string, string>> = {
  '@msgpackr-extract/msgpackr-extract-darwin-arm64': 'MIT',
  '@msgpackr-extract/msgpackr-extract-darwin-x64': 'MIT',
  '@msgpackr-extract/msgpackr-extract-linux-arm': 'MIT',
  '@msgpackr-extract/msgpackr-extract-win32-x64': 'MIT',
  buildcheck: 'MIT',
  'cpu-features': 'MIT',
  ssh2: 'MIT',
};

/** Licences that allow distribution in an image together with the MIT licence; a person must check any other. */
const KNOWN = /^(MIT(-0)?|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|Unlicense|LGPL-3\.0-or-later)$/;

export interface ShippedPackage {
  name: string;
  version: string;
  licence: string;
}

/** Packages for all platforms, without development packages. @throws Error if a licence is missing or not in `KNOWN` */
export function shippedPackages(lockfile: unknown): ShippedPackage[] {
  const packages = new Map<string, ShippedPackage>();
  for (const [path, { version = '', license, dev }] of Object.entries(LOCKFILE.parse(lockfile).packages)) {
    if (path === '' || dev === true) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const licence = license ?? LICENCES[name];
    if (licence?.split(/ (?:AND|OR) /).every((one) => KNOWN.test(one)) !== true) {
      throw new Error(
        `${name} ${version} has the licence ${licence ?? '(none)'}: look at it, and name it in tools/notice`,
      );
    }
    packages.set(`${name} ${version}`, { name, version, licence });
  }
  return [...packages.values()].sort((a, b) => order(a.name, b.name) || order(a.version, b.version));
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The text of NOTICE. */
export function noticeOf(lockfile: unknown): string {
  const lines = shippedPackages(lockfile).map(({ name, version, licence }) => `${name} ${version}: ${licence}`);
  return `${HEAD}\n${lines.join('\n')}\n`;
}

const HEAD = `Passerelle
Licensed under the MIT licence: see LICENSE.

The image contains Node.js on Debian (node:24-slim), whose licences are in /usr/share/doc and in
/usr/local/LICENSE, and the packages below in node_modules. The text of each package's licence is in its own folder there.

libvips and the libraries that sharp brings with it (@img/sharp-libvips-*) are under the LGPL 3.0 or later. They are libraries
of their own, loaded when a photo is made smaller, and may be replaced: https://github.com/lovell/sharp-libvips has their source.

This file is written by "npm run notice". It names the packages of every platform; an image contains those of its own platform.
`;
