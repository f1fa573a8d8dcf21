import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { addGateway, type ApiUnderTest, type SeededGateway, startApi } from '../../medium/api/api-under-test';
import { type MisbehavingProxy, startMisbehavingProxy } from '../../support/misbehaving-proxy';
import { canHaveSmallDisks } from '../../support/small-disk';
import { describeWordPress } from '../../wordpress/support/programs';
import { createSite, type Site, type Slice, sliceCode } from '../../wordpress/support/site';

const run = promisify(execFile);
const LETTERS = ['a', 'b'];

// Real: WordPress, its media library, GD, MariaDB, the API, a full disk. Fake: the ingestor, and the server with the
// photos.
describeWordPress('a damaged photo', () => {
  let api: ApiUnderTest;
  let proxy: MisbehavingProxy;
  let gateway: SeededGateway;
  let site: Site;
  let image: Buffer;
  let uploads: string;
  /** Whether the server with the photos sends their length. */
  let announces: boolean;

  beforeAll(async () => {
    [api, site] = await Promise.all([startApi(), createSite()]);
    proxy = await startMisbehavingProxy(api.url);
    uploads = join(site.folder, 'wp-content/uploads');
    // Noise, because no format compresses it.
    const raw = { width: 900, height: 600, channels: 3 as const };
    image = await sharp(randomBytes(900 * 600 * 3), { raw })
      .jpeg({ quality: 60 })
      .toBuffer();
  });
  afterAll(async () => {
    await proxy.close();
    await Promise.all([api.close(), site.close()]);
  });
  beforeEach(async () => {
    announces = true;
    await site.empty();
    rmSync(uploads, { recursive: true, force: true });
    const photos = LETTERS.map((letter) => ({
      url: `${proxy.url}/photo-${letter}.jpg`,
      empreinte: letter.padEnd(16, '0'),
    }));
    gateway = await addGateway(api.database, { listings: [{ affId: 'A', intitule: 'Maison A', photos }] });
    await api.testDatabase.query(
      `UPDATE listing_version SET photos_empreinte = 'aaaaaaaaaaaaaaaa' WHERE gateway_id = $1`,
      [gateway.id],
    );
    proxy.mischief = ({ path }) =>
      path.startsWith('/photo-')
        ? { status: 200, headers: announces ? {} : { 'transfer-encoding': 'chunked' }, body: image }
        : 'pass';
    await site.connect({ ...gateway, base: proxy.url }, { photos: 'import' });
  });

  /** Photos in the media library, each with its number of files. Fails if a file is not complete. */
  async function library(): Promise<object> {
    const found = await site.php<{ letter: string; files: Record<string, string> }[]>(`
      return array_map(function ($one) {
        $file = get_attached_file($one->ID);
        $sizes = array_column(wp_get_attachment_metadata($one->ID)['sizes'] ?? [], 'file');
        return ['letter' => $one->post_content_filtered[11], 'files' => [basename($file) => $file] + array_combine($sizes, array_map(fn ($size) => dirname($file) . "/$size", $sizes))];
      }, get_posts(['post_type' => 'attachment', 'post_status' => 'any', 'numberposts' => -1, 'orderby' => 'ID', 'order' => 'ASC']));`);
    const whole: [string, number][] = [];
    for (const { letter, files } of found) {
      for (const file of Object.values(files))
        await sharp(readFileSync(file), { failOn: 'truncated' }).raw().toBuffer();
      whole.push([letter, Object.keys(files).length]);
    }
    return Object.fromEntries(whole);
  }

  /** Complete photos have four files: the photo itself, `medium`, `medium_large` and `thumbnail`. */
  const WHOLE = { a: 4, b: 4 };

  /** Runs a slice in which the hoster kills PHP when WordPress stores the size of the given number. */
  const killedAt = (size: number): string => `
    $GLOBALS['left'] = ${size};
    add_filter('query', function ($sql) {
      if (strpos($sql, '_wp_attachment_metadata') !== false && preg_match('/^\\s*(INSERT|UPDATE)/', $sql) && --$GLOBALS['left'] === 0) posix_kill(getmypid(), SIGKILL);
      return $sql;
    });
    ${sliceCode()}`;

  it.each([1, 2, 3, 4])('is repaired by the next slice when PHP was killed before it stored size %i', async (size) => {
    await site.php(killedAt(size)).catch(() => undefined);
    expect(await site.slice()).toMatchObject({ state: 'done' });
    expect(await library()).toEqual(WHOLE);
  });

  it('is repaired by the next slice when an earlier release left it without sizes or with a truncated file', async () => {
    await site.slice();
    const [cut = '', bare = ''] = await site.php<string[]>(`
      [$cut, $bare] = get_posts(['post_type' => 'attachment', 'post_status' => 'any', 'numberposts' => -1, 'orderby' => 'ID', 'order' => 'ASC']);
      wp_update_attachment_metadata($bare->ID, ['sizes' => []] + wp_get_attachment_metadata($bare->ID));
      $GLOBALS['wpdb']->query("DELETE FROM wp_postmeta WHERE meta_key = '_passerelle_bytes'");
      update_option('passerelle_schema', '5');
      return [get_attached_file($cut->ID), get_attached_file($bare->ID)];`);
    expect(bare).not.toBe(cut);
    truncateSync(cut, 30_000);
    expect(await site.slice()).toMatchObject({ state: 'done', photos: 2 });
    expect(await library()).toEqual(WHOLE);
    expect(await site.slice()).toMatchObject({ state: 'done', photos: 0 });
  });

  it('is not downloaded again when another plugin has made its file smaller', async () => {
    await site.slice();
    const [file = ''] = await site.php<string[]>(`
      $GLOBALS['wpdb']->query("UPDATE wp_passerelle SET photos_done = ''");
      return array_map(fn ($one) => get_attached_file($one->ID), get_posts(['post_type' => 'attachment', 'post_status' => 'any', 'numberposts' => 1]));`);
    writeFileSync(file, await sharp(readFileSync(file)).jpeg({ quality: 20 }).toBuffer());
    expect(await site.slice()).toMatchObject({ state: 'done', photos: 0 });
  });

  it('is retried after a pause when several runs in a row were killed by it', async () => {
    for (let round = 0; round < 4; round += 1) await expect(site.php(killedAt(2))).rejects.toThrow('php failed');
    expect(Object.values(await site.php<Record<string, Slice>>(killedAt(2)))).toMatchObject([{ photos: 0 }]);
    expect(
      await site.php(`return Passerelle\\WordPress\\Table::rows('SELECT * FROM wp_passerelle')[0];`),
    ).toMatchObject({
      photo_failure: expect.stringContaining('stops each run'),
      photo_after: expect.any(String),
    });
  });

  /** Runs PHP with its uploads on a disk of four megabytes. The disk disappears when the process ends. */
  async function phpOnSmallDisk<Value>(code: string): Promise<Value> {
    await mkdir(uploads, { recursive: true });
    const mounted = 'mount -t tmpfs -o size=4m tmpfs "$0" && exec "$@"';
    const { stdout } = await run('unshare', ['-rm', 'sh', '-c', mounted, uploads, 'php', 'run.php', code], {
      cwd: site.folder,
    });
    return JSON.parse(stdout) as Value;
  }

  (canHaveSmallDisks() ? it : it.skip).each(['announced', 'not announced'])(
    'is repaired by the next slice when the disk was full during a download whose length was %s, and the page for the owner reports the full disk',
    async (length) => {
      announces = length === 'announced';
      const { full, mended, parts } = await phpOnSmallDisk<Record<'full' | 'mended' | 'parts', unknown>>(`
        wp_set_current_user(1); require_once ABSPATH . 'wp-admin/includes/template.php';
        $filler = WP_CONTENT_DIR . '/uploads/filler';
        $room = -1;
        add_filter('http_request_args', function ($arguments, $url) use ($filler, &$room) {
          if ($room >= 0 && strpos($url, '/photo-') !== false) {
            file_put_contents($filler, str_repeat('x', max(0, (int) disk_free_space(dirname($filler)) - $room)));
          }
          return $arguments;
        }, 10, 2);
        ini_set('gd.jpeg_ignore_warning', '0');
        $library = function () {
          $all = [];
          foreach (get_posts(['post_type' => 'attachment', 'post_status' => 'any', 'numberposts' => -1, 'orderby' => 'ID', 'order' => 'ASC']) as $one) {
            $file = get_attached_file($one->ID);
            $files = array_merge([basename($file)], array_column(wp_get_attachment_metadata($one->ID)['sizes'] ?? [], 'file'));
            $whole = array_filter($files, fn ($name) => @imagecreatefromjpeg(dirname($file) . "/$name") !== false);
            $all[$one->post_content_filtered[11]] = count($whole) . ' of ' . count($files);
          }
          return $all;
        };
        $slice = function () {
          $state = array_values(Passerelle\\WordPress\\Sync::slice(20, true))[0]['state'];
          ob_start(); Passerelle\\WordPress\\AdminPage::show();
          return $state . (strpos(ob_get_clean(), 'The disk of this site is full') === false ? '' : ', and the page says so');
        };
        $full = [];
        foreach ([0, 20000, 150000, 250000, 330000, 400000, 440000] as $room) {
          $full[] = [$slice(), array_diff($library(), ['4 of 4'])];
          unlink($filler);
        }
        $room = -1;
        return ['full' => $full, 'mended' => [$slice(), $library()], 'parts' => glob(WP_CONTENT_DIR . '/uploads/passerelle/{,*/,*/*/}*.part', GLOB_BRACE)];`);
      expect(full).toEqual(Array.from({ length: 7 }, () => ['full, and the page says so', []]));
      expect(mended).toEqual(['done', { a: '4 of 4', b: '4 of 4' }]);
      expect(parts).toEqual([]);
    },
  );
});
