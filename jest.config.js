/**
 * Unit specs beside the code, medium on a real PostgreSQL, end-to-end with the real processes, and the plugin for WordPress on a real
 * WordPress with a real MariaDB. Tests that take longer are in jest.long.config.js.
 */
const { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } = require('node:fs');
const { availableParallelism, freemem } = require('node:os');

const MEMORY = '/dev/shm';
const MEMORY_NEEDED_BYTES = 6 * 2 ** 30;
const FOLDER = 'passerelle-tests-';

/** Whether a machine keeps files in memory, has room for those of a run, and lets programs be among them. */
function hasMemoryForFiles() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const mount = readFileSync('/proc/mounts', 'utf8').match(/^\S+ \/dev\/shm tmpfs \S+/m)?.[0] ?? 'noexec';
    return Math.min(bavail * bsize, freemem()) >= MEMORY_NEEDED_BYTES && !mount.includes('noexec');
  } catch {
    return false;
  }
}

/** Removes folders in memory of killed runs; the folder's name contains their process id. */
function removeLeftovers() {
  for (const name of readdirSync(MEMORY).filter((one) => one.startsWith(FOLDER))) {
    const pid = Number(/^\d+(?=-)/.exec(name.slice(FOLDER.length))?.[0] ?? NaN);
    if (!(pid > 0) || existsSync(`/proc/${pid}`)) continue;
    try {
      rmSync(`${MEMORY}/${name}`, { recursive: true, force: true });
    } catch {
      // Another user's.
    }
  }
}

// Databases, sites and browsers are made of thousands of files that are gone a moment later: a disk takes ten times as long.
if (process.env.TMPDIR === undefined && hasMemoryForFiles()) {
  removeLeftovers();
  const folder = mkdtempSync(`${MEMORY}/${FOLDER}${process.pid}-`);
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
}

const swc = [
  '@swc/jest',
  {
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      keepClassNames: true,
    },
    module: { type: 'commonjs' },
  },
];
const overwriteGivenBack = '<rootDir>/test/support/overwrite-given-back.ts';
const base = {
  testEnvironment: '<rootDir>/test/support/forgetful-environment.ts',
  // Memory that is used after it was given back shows.
  setupFiles: [overwriteGivenBack],
  transform: { '^.+\\.ts$': swc, '^.+/node_modules/(openid-client|oauth4webapi|jose)/.+\\.js$': swc },
  // Modules of ECMAScript, which Node's own require() takes and Jest's does not.
  transformIgnorePatterns: ['/node_modules/(?!(openid-client|oauth4webapi|jose)/)'],
  moduleNameMapper: {
    '^@passerelle/(\\w+)/(\\w+)$': '<rootDir>/libs/$1/src/$2.ts',
    '^@passerelle/(\\w+)$': '<rootDir>/libs/$1/src/index.ts',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
  // Jest looks each global up in its sandbox, again and again: a loop with `Math.imul` takes thirty times as long.
  sandboxInjectedGlobals: ['Math', 'Map', 'Set', 'Array', 'Object', 'Number', 'String', 'JSON'],
};

module.exports = {
  // The end-to-end tests wait more than they work: a third of the files that are under way may wait.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  testSequencer: '<rootDir>/test/support/waiting-among-working.cjs',
  // The one limit for every test and hook: for what hangs. No test sets its own.
  testTimeout: 300_000,
  projects: [
    {
      ...base,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/{apps,libs,tools}/**/*.spec.ts',
        '<rootDir>/test/architecture/**/*.spec.ts',
        '<rootDir>/test/simulated/**/*.spec.ts',
        '<rootDir>/test/support/**/*.spec.ts',
      ],
    },
    {
      ...base,
      displayName: 'medium',
      testMatch: ['<rootDir>/test/medium/**/*.spec.ts'],
      globalSetup: '<rootDir>/test/support/embedded-postgres.setup.ts',
      globalTeardown: '<rootDir>/test/support/embedded-postgres.teardown.ts',
    },
    {
      ...base,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/e2e/**/*.spec.ts'],
      globalSetup: '<rootDir>/test/support/e2e.setup.ts',
      globalTeardown: '<rootDir>/test/support/e2e.teardown.ts',
    },
    {
      ...base,
      displayName: 'wordpress',
      testMatch: ['<rootDir>/test/wordpress/**/*.spec.ts'],
      globalSetup: '<rootDir>/test/wordpress/support/wordpress.setup.ts',
      globalTeardown: '<rootDir>/test/wordpress/support/wordpress.teardown.ts',
    },
  ],
};
