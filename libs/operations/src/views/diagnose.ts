import { CLOCK_TOLERANCE_MS } from '@passerelle/domain';
import { type DiskSpace, type Finding, good, type InstallationFacts } from './findings';
import { announcer, ingestors, sources } from './work-findings';

/** A larger difference makes times in logs and in the database inconsistent; signatures tolerate minutes. */
const MOST_CLOCK_MS = 2_000;
const MOST_REPLICA_LAG = 64 * 2 ** 20;
const LEAST_FREE = { warn: 0.2, bad: 0.05 };

/** Checks everything that can drift or fail, and gives advice. Causes come before their effects. */
export function diagnose(facts: InstallationFacts): Finding[] {
  return [
    database(facts),
    schema(facts),
    releases(facts),
    composeFile(facts),
    settings(facts),
    secrets(facts),
    roles(facts),
    connections(facts),
    clocks(facts),
    clockThatWentBack(facts),
    replica(facts),
    ...facts.disks.map(disk),
    ingestors(facts),
    announcer(facts),
    sources(facts),
  ].filter((finding) => finding !== null);
}

function database({ server }: InstallationFacts): Finding {
  const size = `${Math.round(server.bytes / 2 ** 20)} MiB`;
  if (!server.isReadOnly) return good('database', `PostgreSQL ${server.version}, ${size}, takes writes`);
  return {
    check: 'database',
    state: 'bad',
    says: `PostgreSQL ${server.version} is read-only: lists are served, and nothing is published`,
    next: 'check its disk, and whether DATABASE_URL leads to a standby',
  };
}

function schema({ server: { missing, ahead } }: InstallationFacts): Finding {
  if (missing.length > 0) {
    return {
      check: 'schema',
      state: 'bad',
      says: `it lacks ${missing.join(', ')}: programs of this release do not start`,
      next: 'run the migration step of this release',
    };
  }
  if (ahead.length === 0) return good('schema', 'the schema of this release');
  return {
    check: 'schema',
    state: 'warn',
    says: `it has ${ahead.join(', ')} of a newer release`,
    next: 'start the newer release everywhere; after a rollback, leave the schema as it is, because migrations only add to it',
  };
}

function releases({ release, server }: InstallationFacts): Finding {
  const running = server.sessions.map((one) => `${one.program} ${one.release ?? 'of an unknown release'}`);
  if (running.length === 0) {
    return {
      check: 'releases',
      state: 'bad',
      says: 'no API, ingestor or console is connected to this database',
      next: 'start them, or check whether their DATABASE_URL names another database',
    };
  }
  const says = [...new Set(running)].join(', ');
  const others = server.sessions.filter((one) => one.release !== release);
  if (others.length > 0) {
    return {
      check: 'releases',
      state: 'warn',
      says: `${says}; this command is ${release}`,
      next: 'finish the upgrade or the rollback: restart the programs of the other release',
    };
  }
  const absent = ['api', 'ingestor'].filter((name) => !server.sessions.some(({ program }) => program === name));
  if (absent.length === 0) return good('releases', says);
  return { check: 'releases', state: 'bad', says: `${says}; no ${absent.join(' and no ')}`, next: 'start it' };
}

function composeFile({ release, composeRelease }: InstallationFacts): Finding | null {
  if (composeRelease === null) return null;
  if (composeRelease === release) return good('compose file', `of release ${release}`);
  return {
    check: 'compose file',
    state: 'bad',
    says: `it is of release ${composeRelease}, but the image is ${release}`,
    next: `check out v${release}, or upgrade with deploy/compose/upgrade.sh: each release is tested with its own file`,
  };
}

function settings({ badSettings }: InstallationFacts): Finding {
  if (badSettings.length === 0) return good('settings', 'the settings of this environment are valid');
  return { check: 'settings', state: 'bad', says: badSettings.join('; '), next: 'README.md lists the valid values' };
}

function secrets({ unfit: { fault, keys, sources: unread } }: InstallationFacts): Finding {
  const wrong = [
    ...(fault === null ? [] : [fault]),
    ...(keys === 0 ? [] : [`${keys} API keys were hashed with another key`]),
    ...(unread.length === 0 ? [] : [`no key opens the source of ${unread.slice(0, 5).join(', ')}`]),
  ];
  if (wrong.length === 0) return good('secrets', 'SECRETS_KEY fits the keys and the sources');
  return {
    check: 'secrets',
    state: 'bad',
    says: wrong.join('; '),
    next: 'set the SECRETS_KEY of this database, with the previous one as SECRETS_KEY_OLD; then run "rekey"',
  };
}

function roles({ server: { database: name, role, roles: made, sessions } }: InstallationFacts): Finding {
  const wanted = { api: `${name}_serve`, ingestor: `${name}_ingest`, console: `${name}_operate` };
  const missing = Object.values(wanted).filter((one) => !made.includes(one));
  if (missing.length > 0) {
    return {
      check: 'roles',
      state: 'warn',
      says: `there is no ${missing.join(', no ')}`,
      next: 'run the migrations with the passwords of the roles (DATABASE_INGEST_PASSWORD and so on), and give each program its own role',
    };
  }
  const mixed = sessions.filter((one) => one.role !== wanted[one.program as keyof typeof wanted]);
  if (mixed.length > 0) {
    return {
      check: 'roles',
      state: 'warn',
      says: mixed.map((one) => `${one.program} works as ${one.role}`).join(', '),
      next: `give each its own role in DATABASE_URL: ${Object.values(wanted).join(', ')}`,
    };
  }
  return role.isSuperuser
    ? {
        check: 'roles',
        state: 'warn',
        says: `this command works as the superuser ${role.name}`,
        next: `use ${wanted.ingestor}`,
      }
    : good('roles', `each program has its own; this command works as ${role.name}`);
}

function connections({
  server: {
    connections: { used, allowed },
  },
}: InstallationFacts): Finding {
  const says = `${used} of ${allowed} are used`;
  if (used < 0.8 * allowed) return good('connections', says);
  return {
    check: 'connections',
    state: 'warn',
    says,
    next: 'raise max_connections, lower DATABASE_POOL, or put PgBouncer in front',
  };
}

function clocks({ server, asked }: InstallationFacts): Finding {
  const apartMs = Math.max(0, Math.abs(server.now.getTime() - asked.at.getTime()) - asked.tookMs);
  if (apartMs <= MOST_CLOCK_MS) return good('clocks', 'the clocks of this machine and PostgreSQL agree');
  return {
    check: 'clocks',
    state: 'bad',
    says: `the clocks of this machine and PostgreSQL differ by ${(apartMs / 1000).toFixed(0)} s`,
    next: 'let both use the same time servers (systemd-timesyncd, chrony)',
  };
}

/** Times in the future come from a clock that was set back: their ages are negative, so no gateway seems overdue. */
function clockThatWentBack({ server, rows }: InstallationFacts): Finding | null {
  const latest = server.now.getTime() + CLOCK_TOLERANCE_MS;
  const ahead = rows.filter(
    ({ active, paused, confirmedAt }) => active && paused === null && Date.parse(confirmedAt ?? '') > latest,
  );
  if (ahead.length === 0) return null;
  return {
    check: 'clocks',
    state: 'bad',
    says: `PostgreSQL's clock was put back: ${ahead.length} of ${rows.length} gateways were last confirmed in its future`,
    next: 'let the machine of PostgreSQL use a time server; each gateway recovers with its next run',
  };
}

function replica({ replica: found }: InstallationFacts): Finding | null {
  if (found === null) return null;
  const next = 'the API reads from the primary meanwhile; check the replica, or remove DATABASE_READ_URL';
  if (typeof found === 'string') return { check: 'replica', state: 'bad', says: `does not answer: ${found}`, next };
  if (!found.isReplica) {
    return {
      check: 'replica',
      state: 'bad',
      says: 'DATABASE_READ_URL names a server that is not a replica',
      next: 'set it to a streaming replica of DATABASE_URL',
    };
  }
  if (found.lagBytes === null) return good('replica', 'it replays; its lag is unknown');
  const says = `${Math.ceil(found.lagBytes / 2 ** 20)} MiB behind`;
  return found.lagBytes <= MOST_REPLICA_LAG ? good('replica', says) : { check: 'replica', state: 'warn', says, next };
}

function disk({ path, free, size }: DiskSpace): Finding {
  const share = size === 0 ? 0 : free / size;
  const says = `${path}: ${(free / 2 ** 30).toFixed(1)} of ${(size / 2 ** 30).toFixed(1)} GiB free`;
  if (share >= LEAST_FREE.warn) return good('disk', says);
  return {
    check: 'disk',
    state: share < LEAST_FREE.bad ? 'bad' : 'warn',
    says,
    next: 'free some space: a full disk stops every run, and also PostgreSQL when it uses the same disk',
  };
}
