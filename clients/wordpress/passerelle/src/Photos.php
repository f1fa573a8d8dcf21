<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/**
 * The photos of a listing: linked if the gateway serves them in several sizes, otherwise imported into the media
 * library.
 */
final class Photos
{
    public const MARK = 'passerelle:';
    /** Minutes before a failed photo is requested again; doubles each time. */
    private const AGAIN_AFTER_MINUTES = 15;
    public const DUE = "gone_at IS NULL AND empreinte <> '' AND photos_done <> photos AND (photo_after IS NULL OR photo_after <= %s)";
    /** A photo that stopped this many runs in a row waits like a failed photo. */
    private const MOST_REMAINS = 3;

    /** Whether the last `bring` ended because the disk is full. */
    public bool $isDiskFull = false;

    private string $gateway;
    private PhotoFile $file;
    private string $way;
    private Target $target;

    /**
     * @var array<int, array> attachments of the posts in a list, in the form that `all` returns; used only for
     * rendering
     */
    private static array $primed = [];

    public function __construct(array $gateway, array $settings)
    {
        $this->gateway = Settings::nameOf($gateway['crm'], $gateway['client']);
        $this->file = new PhotoFile($gateway);
        $this->target = Targets::get($settings['target']);
        // Other plugins show only photos of the media library.
        $this->way = $this->target->needsImport() ? 'import' : $settings['photos'];
    }

    /** Whether the gateway serves the photo in several sizes: `?w=320|640|1024|1600`. */
    public static function isSized(string $url): bool
    {
        return preg_match('#/media/[0-9A-Za-z_-]{20,}\.(?:jpe?g|png|webp|gif)$#', (string) parse_url($url, PHP_URL_PATH)) === 1;
    }

    /** The address of a photo at a suitable width. */
    public static function address(array $photo, int $width): string
    {
        $attachment = $photo['attachment'] ?? 0;
        if ($attachment !== 0) {
            return (string) (wp_get_attachment_image_src($attachment, $width <= 320 ? 'medium' : ($width <= 1024 ? 'large' : 'full'))[0] ?? '');
        }
        return self::isSized($photo['url']) ? "{$photo['url']}?w=$width" : $photo['url'];
    }

    /** Loads in one query the data that `shown` reads for each of these posts. @param int[] $postIds */
    public static function prime(array $postIds): void
    {
        $rows = self::rowsOf($postIds, 'p.*');
        self::$primed = self::byPost($rows) + array_fill_keys($postIds, []);
        if ($rows !== []) {
            $posts = array_map(static fn(array $row): \stdClass => (object) array_diff_key($row, ['meta_id' => 1]), $rows);
            update_post_cache($posts);
            update_meta_cache('post', array_column($rows, 'ID'));
        }
    }

    /** The available widths of a photo, for `srcset`; empty if there is only one. */
    public static function widths(array $photo): string
    {
        if (($photo['attachment'] ?? 0) !== 0) {
            return (string) wp_get_attachment_image_srcset($photo['attachment'], 'large');
        }
        $widths = self::isSized($photo['url']) ? [320, 640, 1024, 1600] : [];
        return implode(', ', array_map(static fn(int $width): string => "{$photo['url']}?w=$width {$width}w", $widths));
    }

    /** A listing's photos for rendering; imported photos have an `attachment`. @return array[] */
    public static function shown(int $postId, array $listing): array
    {
        $imported = array_flip(self::whole(self::$primed[$postId] ?? self::all($postId)));
        $photos = array_values(array_filter($listing['photos'] ?? [], 'is_array'));
        return array_map(static fn(array $photo): array => $photo + ['attachment' => $imported[$photo['empreinte'] ?? ''] ?? 0], $photos);
    }

    public function needNothing(int $postId, array $listing): bool
    {
        return $this->toImport($listing) === [] && self::all($postId) === [];
    }

    /** Whether one of these gateways has photos to fetch or delete. @param string[] $gateways */
    public static function areDue(array $gateways): bool
    {
        global $wpdb;
        foreach ($gateways as $gateway) {
            if (Table::rows($wpdb->prepare('SELECT 1 FROM ' . Table::name() . ' WHERE gateway = %s AND ' . self::DUE . ' LIMIT 1', $gateway, gmdate('Y-m-d H:i:s'))) !== []) {
                return true;
            }
        }
        return false;
    }

    /**
     * Fetches changed photos until the time is up. @return array{0: int, 1: bool} how many were fetched, and whether
     * all are done
     */
    public function bring(callable $mayGoOn, callable $secondsLeft): array
    {
        global $wpdb;
        $due = Table::rows($wpdb->prepare(
            'SELECT aff_id, post_id, photos, photo_tries FROM ' . Table::name() . ' WHERE gateway = %s AND ' . self::DUE . ' ORDER BY photo_tries, post_id',
            $this->gateway,
            gmdate('Y-m-d H:i:s')
        ));
        $isSuspended = wp_suspend_cache_addition();
        try {
            // Otherwise WordPress reads each photo again in each of its steps.
            wp_suspend_cache_addition(false);
            return $this->bringAll($due, $mayGoOn, $secondsLeft);
        } finally {
            wp_suspend_cache_addition($isSuspended);
        }
    }

    private function bringAll(array $due, callable $mayGoOn, callable $secondsLeft): array
    {
        $came = 0;
        $isFirst = true;
        foreach ($due as $row) {
            if (!$mayGoOn()) {
                return [$came, false];
            }
            $stored = get_post_meta((int) $row['post_id'], Writer::META, true);
            $listing = is_array($stored) ? $stored : [];
            $failures = [];
            if (self::clean((int) $row['post_id']) > 0) {
                $row['photo_tries'] = (int) $row['photo_tries'] + 1;
                Table::update($this->gateway, $row['aff_id'], ['photo_tries' => $row['photo_tries']]);
                if ($row['photo_tries'] > self::MOST_REMAINS) {
                    $this->finish($row, $listing, [$listing['photos'][0]['url'] ?? '' => __('The server stops each run that creates the sizes of the photo.', 'passerelle')]);
                    continue;
                }
            }
            $wanted = $this->toImport($listing);
            $imported = $wanted === [] ? [] : self::imported((int) $row['post_id']);
            foreach ($wanted as $photo) {
                if (in_array($photo['empreinte'], $imported, true)) {
                    continue;
                }
                if (!$mayGoOn()) {
                    return [$came, false];
                }
                $failure = null;
                $this->isDiskFull = $isFirst && StoredPhoto::isDiskFull(0);
                if (!$this->isDiskFull) {
                    $failure = $this->file->import($photo, (int) $row['post_id'], $listing, (float) $secondsLeft());
                    $this->isDiskFull = $failure !== null && StoredPhoto::isDiskFull($this->file->bytes);
                }
                if ($this->isDiskFull) {
                    // Sets no pause: the next slice continues as soon as the disk has room.
                    return [$came, true];
                }
                $isFirst = false;
                if ($failure === null) {
                    $came += 1;
                    $imported[] = $photo['empreinte'];
                } else {
                    $failures[$photo['url']] = $failure;
                }
            }
            $this->finish($row, $listing, $failures);
        }
        return [$came, true];
    }

    /** Deletes photos that the listing no longer has, but only after all new ones are stored. */
    private function finish(array $row, array $listing, array $failures): void
    {
        $postId = (int) $row['post_id'];
        $wanted = array_column($this->toImport($listing), 'url', 'empreinte');
        $imported = self::imported($postId);
        foreach ($failures === [] ? array_diff_key($wanted, array_flip($imported)) : [] as $url) {
            $failures[$url] = __('It was deleted during the download.', 'passerelle');
        }
        if ($failures !== []) {
            $tries = (int) $row['photo_tries'] + 1;
            $minutes = self::AGAIN_AFTER_MINUTES * 2 ** min($tries - 1, 7);
            Table::update($this->gateway, $row['aff_id'], [
                'photo_tries' => $tries, 'photo_failure' => wp_json_encode($failures), 'photo_after' => gmdate('Y-m-d H:i:s', time() + $minutes * 60),
            ]);
            return;
        }
        $places = array_flip(array_keys($wanted));
        $ids = [];
        foreach ($imported as $id => $empreinte) {
            if (isset($places[$empreinte])) {
                $ids[$places[$empreinte]] = $id;
            } else {
                wp_delete_attachment($id, true);
            }
        }
        ksort($ids);
        if ($ids === []) {
            delete_post_thumbnail($postId);
        } else {
            set_post_thumbnail($postId, reset($ids));
        }
        $this->target->photos($postId, array_values($ids));
        // A run fetches thousands of photos.
        array_map('clean_post_cache', array_merge([$postId], $ids));
        Table::update($this->gateway, $row['aff_id'], ['photos_done' => $row['photos'], 'photo_tries' => 0, 'photo_failure' => null, 'photo_after' => null]);
    }

    /** @return array[] the photos to import into the media library */
    private function toImport(array $listing): array
    {
        $photos = array_values(array_filter($listing['photos'] ?? [], static fn($photo) => isset($photo['url'], $photo['empreinte'])));
        switch ($this->way) {
            case 'link':
                return [];
            case 'first':
                return array_slice($photos, 0, 1);
            case 'import':
                return $photos;
            default:
                // External addresses may expire: photos that the gateway does not serve are imported.
                return array_values(array_filter($photos, static fn(array $photo) => !self::isSized($photo['url'])));
        }
    }

    /**
     * The attachments of a post that the plugin created: for each, its empreinte and whether it is complete. Read-only.
     * @return array<int, array{0: string, 1: bool}>
     */
    private static function all(int $postId): array
    {
        return self::byPost(self::rowsOf($postId === 0 ? [] : [$postId], 'p.post_parent, p.ID, p.post_content_filtered'))[$postId] ?? [];
    }

    /** The rows of the attachments of several posts. @param int[] $postIds @return array[] */
    private static function rowsOf(array $postIds, string $columns): array
    {
        global $wpdb;
        return $postIds === [] ? [] : Table::rows($wpdb->prepare(
            "SELECT $columns, max(m.meta_id) AS meta_id FROM $wpdb->posts p
             LEFT JOIN $wpdb->postmeta m ON m.post_id = p.ID AND m.meta_key = '" . StoredPhoto::MARK . "'
             WHERE p.post_parent IN (" . implode(', ', array_map('intval', $postIds)) . ") AND p.post_type = 'attachment' AND p.post_content_filtered LIKE %s GROUP BY p.ID ORDER BY p.ID",
            self::MARK . '%'
        ));
    }

    /** Attachments of several posts, by post; omits posts without attachments. */
    private static function byPost(array $rows): array
    {
        $all = [];
        foreach ($rows as $row) {
            $all[(int) $row['post_parent']][(int) $row['ID']] = [substr($row['post_content_filtered'], strlen(self::MARK)), $row['meta_id'] !== null];
        }
        return $all;
    }

    /** The complete imported photos of a post, each once. @return array<int, string> empreintes by attachment */
    private static function imported(int $postId): array
    {
        return self::whole(self::all($postId));
    }

    private static function whole(array $all): array
    {
        $whole = array_filter($all, static fn(array $one): bool => $one[1]);
        return array_unique(array_map(static fn(array $one): string => $one[0], $whole));
    }

    /**
     * Deletes leftovers of a killed run or a full disk. The caller holds the lock, so incomplete rows do not belong to
     * another process. Two rows of one photo share one file, so both are deleted and the photo is fetched again.
     * @return int the number of deleted attachments
     */
    private static function clean(int $postId): int
    {
        $all = self::all($postId);
        $times = array_count_values(array_column($all, 0));
        $deleted = 0;
        foreach ($all as $id => [$empreinte, $isMarked]) {
            if ($times[$empreinte] > 1 || !StoredPhoto::isWhole($id)) {
                wp_delete_attachment($id, true);
                $deleted += 1;
            } elseif (!$isMarked) {
                StoredPhoto::mark($id);
            }
        }
        return $deleted;
    }

    /** Makes the next slices check the photos of an earlier release, which stay visible until then. */
    public static function checkStored(): void
    {
        global $wpdb;
        $wpdb->query($wpdb->prepare(
            "INSERT INTO $wpdb->postmeta (post_id, meta_key, meta_value) SELECT p.ID, %s, '' FROM $wpdb->posts p
             JOIN $wpdb->postmeta d ON d.post_id = p.ID AND d.meta_key = '_wp_attachment_metadata' LEFT JOIN $wpdb->postmeta m ON m.post_id = p.ID AND m.meta_key = %s
             WHERE p.post_type = 'attachment' AND p.post_content_filtered LIKE %s AND m.meta_id IS NULL GROUP BY p.ID",
            StoredPhoto::MARK,
            StoredPhoto::MARK,
            self::MARK . '%'
        ));
        $wpdb->query('UPDATE ' . Table::name() . " SET photos_done = '', photo_after = NULL WHERE photos <> ''");
    }

    public static function deleteAll(int $postId): void
    {
        foreach (array_keys(self::all($postId)) as $id) {
            wp_delete_attachment($id, true);
        }
    }

    /** Keeps only the first photo of a page that stays after its listing was removed. */
    public static function keepFirst(int $postId): void
    {
        $listing = get_post_meta($postId, Writer::META, true);
        $imported = self::imported($postId);
        $kept = array_search($listing['photos'][0]['empreinte'] ?? '', $imported, true) ?: array_key_first($imported);
        foreach (array_keys(self::all($postId)) as $id) {
            if ($id !== $kept) {
                wp_delete_attachment($id, true);
            }
        }
        if (is_array($listing) && isset($listing['photos'])) {
            $listing['photos'] = array_slice($listing['photos'], 0, 1);
            update_post_meta($postId, Writer::META, wp_slash($listing));
        }
        $row = Table::ofPost($postId);
        if ($row !== null) {
            Table::update($row['gateway'], $row['aff_id'], ['photos_done' => '']);
        }
    }
}
