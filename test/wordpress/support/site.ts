import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WORDPRESS_FOLDER } from './programs';
import { aFreePort } from '../../support/free-port';
import { until } from '../../support/waiting';

const run = promisify(execFile);
const PLUGIN = join(__dirname, '../../../clients/wordpress/passerelle');

/** The plugin's report of one slice. */
export interface Slice {
  state: 'done' | 'more' | 'later' | 'busy' | 'failed' | 'held' | 'full' | 'waiting';
  requests: number;
  added: number;
  updated: number;
  removed: number;
  photos: number;
  failed: { affId: string; reason: string }[];
  message: string;
  /** `ask`: a person must act. */
  advice: string;
  retry_at: number;
}

/** A listing as stored on the site. */
export interface ShownListing {
  affId: string;
  title: string;
  status: string;
  /** The number of posts that belong to the listing; it must be one. */
  posts: number;
}

/** The gateway that a site is connected to. */
export interface ConnectedGateway {
  base: string;
  crm: string;
  client: string;
  key: string;
}

/** A WordPress installation with the plugin, controlled through PHP's command line. */
export interface Site {
  url: string;
  folder: string;
  /** Runs PHP inside WordPress. `return` passes a value back, as JSON. */
  php<Value = unknown>(code: string): Promise<Value>;
  /** Runs the same code in a process that a test can kill. */
  startPhp(code: string): ChildProcess;
  connect(gateway: ConnectedGateway, settings?: Record<string, unknown>): Promise<void>;
  /** Makes the site send e-mails to a mail server on this machine, and allows webhooks to this machine. */
  mailThrough(port: number): Promise<void>;
  /** Deletes all posts, and the plugin's state. */
  empty(): Promise<void>;
  slice(seconds?: number): Promise<Slice>;
  /** All listings by `affId`, including removed ones. */
  shown(): Promise<ShownListing[]>;
  /** Starts PHP's own web server at `url`, with compression as on a hoster's server. */
  serve(): Promise<void>;
  close(): Promise<void>;
}

/** Installs WordPress in its own folder and database, and activates the plugin. */
export async function createSite({ locale = 'en_US' }: { locale?: string } = {}): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'wordpress-'));
  const port = await aFreePort();
  const url = `http://127.0.0.1:${port}`;
  const name = `wp_${randomBytes(6).toString('hex')}`;
  const compiled = await mkdtemp(join(tmpdir(), 'wordpress-compiled-'));
  // Replace links, because linked files would load Debian's settings. Keep file times, because PHP does not cache new
  // files.
  await run('cp', ['-rL', '--preserve=timestamps', `${WORDPRESS_FOLDER}/.`, folder]);
  const socket = process.env['PASSERELLE_TEST_MARIADB_SOCKET'] ?? '';
  await writeFile(join(folder, 'wp-config.php'), configOf({ name, socket, url }));
  await cp(PLUGIN, join(folder, 'wp-content/plugins/passerelle'), { recursive: true });
  await cp(join(__dirname, 'theme'), join(folder, 'wp-content/themes/bare'), { recursive: true });
  await writeFile(join(folder, 'run.php'), RUNNER);
  await offerFrench(join(folder, 'wp-content/languages'));
  const kept = keptCompiled(compiled);
  await php(folder, [...kept, '-r', INSTALL.replace('LOCALE', locale)], { SOCKET: socket, NAME: name });
  let server: ChildProcess | null = null;

  const site: Site = {
    url,
    folder,
    async php<Value>(code: string) {
      return JSON.parse(await php(folder, [...kept, 'run.php', code])) as Value;
    },
    startPhp: (code) => spawn('php', [...kept, 'run.php', code], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] }),
    async connect({ base, crm, client, key }, settings = {}) {
      const given = Buffer.from(JSON.stringify({ ...{ base, crm, client }, ...settings })).toString('base64');
      await site.php(`
        $given = json_decode(base64_decode('${given}'), true);
        $gateway = array_intersect_key($given, ['base' => 1, 'crm' => 1, 'client' => 1]);
        $gateway += ['key' => Passerelle\\WordPress\\Settings::seal('${key}'), 'langue' => 'fr'];
        $all = ['gateways' => ["$gateway[crm]/$gateway[client]" => $gateway]] + array_diff_key($given, $gateway);
        Passerelle\\WordPress\\Settings::save($all + Passerelle\\WordPress\\Settings::all());`);
    },
    async mailThrough(mailPort) {
      await mkdir(join(folder, 'wp-content/mu-plugins'), { recursive: true });
      await writeFile(join(folder, 'wp-content/mu-plugins/mail.php'), mailerOf(mailPort));
    },
    async empty() {
      await site.php(`global $wpdb;
        foreach ([$wpdb->posts, $wpdb->postmeta, $wpdb->prefix . 'passerelle', $wpdb->prefix . 'passerelle_buried'] as $table) $wpdb->query("DELETE FROM $table");
        $wpdb->query("DELETE FROM $wpdb->options WHERE option_name LIKE 'passerelle\\_state\\_%'");`);
    },
    async slice(seconds = 20) {
      const slices = await site.php<Record<string, Slice>>(sliceCode(seconds));
      return Object.values(slices)[0]!;
    },
    shown: () => site.php<ShownListing[]>(SHOWN),
    async serve() {
      // One process answers all requests, so its memory caches the code as well.
      const options = [...kept, '-d', 'opcache.file_cache_only=0', '-S', `127.0.0.1:${port}`, '-t', folder];
      server = spawn('php', [...options, join(folder, 'router.php')], { stdio: 'ignore' });
      await writeFile(join(folder, 'router.php'), ROUTER);
      await until(() => isUp(url));
    },
    async close() {
      if (server !== null) {
        const gone = once(server, 'exit');
        server.kill();
        await gone;
      }
      await php(
        folder,
        [
          '-r',
          "(new mysqli('localhost', 'root', '', '', 0, getenv('SOCKET')))->query('DROP DATABASE ' . getenv('NAME'));",
        ],
        {
          SOCKET: socket,
          NAME: name,
        },
      );
      for (const one of [folder, compiled]) await rm(one, { recursive: true, force: true });
    },
  };
  return site;
}

/**
 * WordPress offers a language only if a file exists. If WordPress has no language pack, a catalogue with only a header
 * makes it offer French.
 */
async function offerFrench(languages: string): Promise<void> {
  await mkdir(languages, { recursive: true });
  const file = join(languages, 'fr_FR.mo');
  if (existsSync(file)) return;
  const header = 'Language: fr_FR\n';
  const [originals, translations, texts] = [28, 36, 44];
  const numbers = [0x95_04_12_de, 0, 1, originals, translations, 0, texts, 0, texts, header.length, texts + 1];
  await writeFile(file, Buffer.concat([Buffer.from(Uint32Array.from(numbers).buffer), Buffer.from(`\0${header}\0`)]));
}

/** PHP code that runs one slice. */
export function sliceCode(seconds = 20): string {
  return `return Passerelle\\WordPress\\Sync::slice(${seconds}, true);`;
}

/**
 * PHP options that cache the compiled code of a site in a folder, as a hoster's PHP does in memory. Otherwise every
 * process would compile WordPress again, which takes longer than most of the tested code. PHP compiles a changed file
 * again, and repeats the compiler's warnings each time.
 */
function keptCompiled(folder: string): string[] {
  const settings = { enable_cli: 1, file_cache: folder, file_cache_only: 1, revalidate_freq: 0, record_warnings: 1 };
  return Object.entries(settings).flatMap(([name, value]) => ['-d', `opcache.${name}=${value}`]);
}

async function php(cwd: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const options = { cwd, maxBuffer: 1 << 26, env: { ...process.env, ...env } };
  try {
    return (await run('php', args, options)).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`php failed:\n${stdout}\n${stderr}`, { cause: error });
  }
}

async function isUp(url: string): Promise<boolean> {
  try {
    await (await fetch(url, { signal: AbortSignal.timeout(10_000) })).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** On `localhost`, WordPress requires no certificate and sets a sender without a name. */
function mailerOf(port: number): string {
  return `<?php
add_action('phpmailer_init', function ($mailer) { $mailer->isSMTP(); $mailer->Host = '127.0.0.1'; $mailer->Port = ${port}; $mailer->SMTPAutoTLS = false;
    $mailer->SMTPOptions = ['socket' => ['tcp_nodelay' => true]]; });
add_filter('wp_mail_from', fn () => 'site@site.example');
add_filter('http_request_host_is_external', '__return_true');
add_filter('http_allowed_safe_ports', fn ($ports) => range(1, 65535));
`;
}

function configOf({ name, socket, url }: { name: string; socket: string; url: string }): string {
  const salts = ['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT']
    .concat(['LOGGED_IN_SALT', 'NONCE_SALT'])
    .map((salt) => `define('${salt}', 'a salt of the tests: ${salt}');`);
  return `<?php
define('DB_NAME', '${name}'); define('DB_USER', 'root'); define('DB_PASSWORD', ''); define('DB_HOST', 'localhost:${socket}');
define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
define('WP_HOME', '${url}'); define('WP_SITEURL', '${url}');
define('WP_HTTP_BLOCK_EXTERNAL', true); define('WP_ACCESSIBLE_HOSTS', '127.0.0.1'); define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
${salts.join('\n')}
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;
}

const INSTALL = `
$server = new mysqli('localhost', 'root', '', '', 0, getenv('SOCKET'));
$server->query('CREATE DATABASE ' . getenv('NAME') . ' DEFAULT CHARACTER SET utf8mb4');
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = '127.0.0.1';
require 'wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';
add_filter('pre_wp_mail', '__return_true');
wp_install('Agence de test', 'admin', 'admin@site.example', true, '', 'not-a-secret', 'LOCALE');
update_option('template', 'bare'); update_option('stylesheet', 'bare'); update_option('permalink_structure', '/%postname%/');
update_option('timezone_string', 'Europe/Paris'); update_option('show_avatars', 0);
$failed = activate_plugin('passerelle/passerelle.php');
if (is_wp_error($failed)) { fwrite(STDERR, $failed->get_error_message()); exit(1); }
`;

/** PHP notices fail the test that causes them. */
const RUNNER = `<?php
set_error_handler(function ($level, $text, $file, $line) {
    if (strpos($file, '/plugins/passerelle/') !== false && (error_reporting() & $level) !== 0) { fwrite(STDERR, "$text in $file:$line\\n"); exit(3); }
    return false;
});
$_SERVER['HTTP_HOST'] = '127.0.0.1';
require __DIR__ . '/wp-load.php';
$value = eval($argv[1]);
echo json_encode($value);
`;

const ROUTER = `<?php
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$type = ['css' => 'text/css', 'js' => 'text/javascript'][pathinfo($path, PATHINFO_EXTENSION)] ?? null;
if ($type !== null && is_file(__DIR__ . $path)) { ob_start('ob_gzhandler'); header("Content-Type: $type"); readfile(__DIR__ . $path); return; }
if ($path !== '/' && is_file(__DIR__ . $path)) return false;
if (is_file(__DIR__ . rtrim($path, '/') . '/index.php') && $path !== '/') { require __DIR__ . rtrim($path, '/') . '/index.php'; return; }
ob_start('ob_gzhandler');
require __DIR__ . '/index.php';
`;

const SHOWN = `global $wpdb; return array_map(function ($row) use ($wpdb) {
    $guid = 'https://passerelle.invalid/' . hash('sha256', $row->gateway . "\\n" . $row->aff_id);
    $posts = $wpdb->get_results($wpdb->prepare("SELECT ID, post_title, post_status FROM $wpdb->posts WHERE guid = %s", $guid));
    return ['affId' => $row->aff_id, 'title' => $posts[0]->post_title ?? '', 'status' => $posts[0]->post_status ?? '', 'posts' => count($posts)];
}, $wpdb->get_results("SELECT * FROM {$wpdb->prefix}passerelle ORDER BY aff_id"));`;
