#!/usr/bin/env node
// Simulates the effects of `docker compose` on containers in a JSON file: profiles, scale, recreation for a new image,
// health, variables of .env. It supports only the commands that upgrade.sh and docs/production.md may use.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const file = process.env.STUB_DOCKER_STATE;
const state = JSON.parse(readFileSync(file, 'utf8'));
const { services } = state;
const args = process.argv.slice(2);

function end(code, output = '') {
  writeFileSync(file, JSON.stringify(state));
  process.stdout.write(output);
  process.exit(code);
}
const note = (event) => state.events.push(event);
const containersOf = (service) => state.containers.filter((one) => one.service === service);

if (args[0] === 'inspect') {
  const found = state.containers.find(({ id }) => id === args.at(-1));
  end(found === undefined ? 1 : 0, `${found?.files ?? ''}\n`);
}
if (args.shift() !== 'compose') end(64);
if (args[0] === 'version') end(0);
const written = existsSync('.env') ? readFileSync('.env', 'utf8').matchAll(/^(\w+)=(.*)$/gm) : [];
const env = { ...Object.fromEntries([...written].map(([, name, value]) => [name, value])), ...process.env };
// Compose reads its file for every other command, so a missing variable fails each of them.
for (const [, name, why] of JSON.stringify(services).matchAll(/\$\{(\w+):\?([^}]*)\}/g)) {
  if ((env[name] ?? '') !== '') continue;
  process.stderr.write(`required variable ${name} is missing a value: ${why}\n`);
  end(1);
}
const profiles = [];
while (['--profile', '-f'].includes(args[0])) {
  const [option, value] = args.splice(0, 2);
  if (option === '--profile') profiles.push(value);
}
const enabled = Object.keys(services).filter((name) => {
  const own = services[name].profiles ?? [];
  return own.length === 0 || own.some((one) => profiles.includes(one));
});
const command = args.shift();
/** Values of the command's options. */
const options = {};
while (args[0]?.startsWith('-')) {
  const name = args.shift();
  options[name] = ['--scale', '--env'].includes(name) ? args.shift() : true;
}

/** The image that a new container of a service gets. */
const imageOf = (service) =>
  services[service].build === undefined
    ? (state.tags[services[service].image] ?? services[service].image)
    : state.built;

/** `scale: ${NAME:-1}` in the compose file. */
function scaleInFile(service) {
  const [, name, fallback] = /^\$\{(\w+):-(\d+)\}$/.exec(services[service].scale ?? '${NONE:-1}');
  return Number(env[name] || fallback);
}

function up(service) {
  const [scaled, number] = String(options['--scale'] ?? '').split('=');
  const wanted = scaled === service ? Number(number) : scaleInFile(service);
  state.containers = state.containers.filter(
    (one) => one.service !== service || containersOf(service).indexOf(one) < wanted,
  );
  while (containersOf(service).length < wanted)
    state.containers.push({ id: `${service}-${(state.next += 1)}`, service, image: '', isHealthy: false, files: '' });
  for (const one of containersOf(service)) {
    const isOther = one.image !== imageOf(service) || options['--force-recreate'] === true;
    if (one.image !== '' && (!isOther || options['--no-recreate'] === true)) continue;
    note(`recreate ${service}`);
    Object.assign(one, { image: imageOf(service), isHealthy: false, files: process.env.COMPOSE_FILE ?? '' });
    if (service === 'proxy') state.mounted = 'new';
    const apis = state.containers.filter((other) => other.service.startsWith('api-') && other.isHealthy);
    if (apis.length === 0) note('no API answers');
  }
  if (options['--wait'] === true) for (const one of containersOf(service)) one.isHealthy = true;
}

switch (command) {
  case 'build':
    state.built = state.builds;
    note('build');
    break;
  case 'ps': {
    const shown = state.containers.filter(
      ({ service }) => enabled.includes(service) && (args.length === 0 || args.includes(service)),
    );
    end(0, shown.map(({ id }) => `${id}\n`).join(''));
    break;
  }
  case 'logs':
    end(0);
    break;
  case 'config':
    end(0, options['--quiet'] === true ? '' : enabled.map((name) => `${name}\n`).join(''));
    break;
  case 'run':
    note(`run ${args[0]}`);
    if (options['--no-deps'] !== true) Object.keys(services[args[0]].depends_on ?? {}).forEach(up);
    end(state.failing === `run ${args[0]}` ? 1 : 0);
    break;
  case 'exec': {
    const [container] = containersOf(args[0]);
    if (container === undefined || !enabled.includes(args[0])) end(1);
    if (args[1] === 'cat')
      end(
        0,
        state.mounted === 'new'
          ? readFileSync(join('deploy/compose', args[2].split('/').at(-1)), 'utf8')
          : 'of the previous release',
      );
    note(`exec ${args[0]} of ${container.image}: ${args.at(-1)}`);
    end(state.failing === `exec ${args[0]}` ? 1 : 0);
    break;
  }
  case 'up': {
    const named = args.length > 0 ? args : enabled;
    const all = new Set(named);
    if (options['--no-deps'] !== true)
      for (const name of all) for (const one of Object.keys(services[name].depends_on ?? {})) all.add(one);
    // A service that ends after its work never becomes healthy, so waiting for it fails.
    if (options['--wait'] === true && named.some((name) => ['preflight', 'migrate'].includes(name))) end(1);
    for (const name of all) if (!['preflight', 'migrate'].includes(name)) up(name);
    break;
  }
  default:
    end(64);
}
end(0);
