/**
 * Runs unit specs next to the code, medium tests on a real PostgreSQL, end-to-end tests with the real processes, and
 * the WordPress plugin on a real WordPress and MariaDB. jest.long.config.js has longer tests.
 */
const { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } = require('node:fs');
const { availableParallelism, freemem } = require('node:os');

const MEMORY = '/dev/shm';
const MEMORY_NEEDED_BYTES = 6 * 2 ** 30;
const FOLDER = 'passerelle-tests-';

/** Whether this machine has an in-memory file system that allows executables and has space for a run. */
function hasMemoryForFiles() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const mount = readFileSync('/proc/mounts', 'utf8').match(/^\S+ \/dev\/shm tmpfs \S+/m)?.[0] ?? 'noexec';
    return Math.min(bavail * bsize, freemem()) >= MEMORY_NEEDED_BYTES && !mount.includes('noexec');
  } catch {
    return false;
  }
}

/** Removes folders that killed runs left in memory; a folder's name contains the run's process id. */
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

// Databases, sites and browsers create thousands of short-lived files: on a disk this takes ten times as long.
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
  // Overwrites released memory, so that tests notice code that still uses it.
  setupFiles: [overwriteGivenBack],
  transform: { '^.+\\.ts$': swc, '^.+/node_modules/(openid-client|oauth4webapi|jose)/.+\\.js$': swc },
  // ES modules, which Node's own require() accepts but Jest's does not.
  transformIgnorePatterns: ['/node_modules/(?!(openid-client|oauth4webapi|jose)/)'],
  moduleNameMapper: {
    '^@passerelle/(\\w+)/(\\w+)$': '<rootDir>/libs/$1/src/$2.ts',
    '^@passerelle/(\\w+)$': '<rootDir>/libs/$1/src/index.ts',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
  // Jest looks up each global in its sandbox on every use: a loop with `Math.imul` takes thirty times as long.
  sandboxInjectedGlobals: ['Math', 'Map', 'Set', 'Array', 'Object', 'Number', 'String', 'JSON'],
};

module.exports = {
  // Most tests wait for databases, processes or clocks: three workers use two cores at 60 %.
  maxWorkers: availableParallelism() * 2,
  testSequencer: '<rootDir>/test/support/waiting-among-working.cjs',
  // One limit that ends hanging tests and hooks. Tests set no limits themselves.
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
