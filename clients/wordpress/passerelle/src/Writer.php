<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** Writes one listing as a post. The process may end after any step: the next run detects what exists and continues. */
final class Writer
{
    public const META = '_passerelle';
    /** True while the plugin itself writes or deletes posts. */
    public static bool $isWriting = false;

    private string $gateway;
    private Target $target;
    private Languages $languages;
    private Photos $photos;
    /** @var array<string, int>|null the plugin's posts that are missing in the table, by guid */
    private ?array $strays = null;

    public function __construct(array $gateway, array $settings)
    {
        $this->gateway = Settings::nameOf($gateway['crm'], $gateway['client']);
        $this->target = Targets::get($settings['target']);
        $this->languages = new Languages($gateway['langue'] ?? '');
        $this->photos = new Photos($gateway, $settings);
    }

    /** If a person deletes or trashes a listing that is still in the list, the next run creates it again. */
    public static function register(): void
    {
        $seen = static function (int $postId): void {
            $row = self::$isWriting ? null : Table::ofPost($postId);
            if ($row !== null) {
                Table::update($row['gateway'], $row['aff_id'], ['empreinte' => '']);
                Settings::compareAnew($row['gateway']);
            }
        };
        add_action('before_delete_post', $seen);
        add_action('wp_trash_post', $seen);
    }

    /**
     * @param array{0: string, 1: string, 2: string} $line of the manifest @throws \RuntimeException when WordPress
     * rejects the post
     */
    public function write(array $line, array $listing): void
    {
        [$affId, $empreinte, $photos] = $line;
        $listing = Position::published($listing);
        $key = Table::keyOf($affId);
        $row = Table::announce($this->gateway, $key);
        $isSuspended = wp_suspend_cache_addition();
        self::$isWriting = true;
        try {
            // Otherwise WordPress reads the post again in each of its steps.
            wp_suspend_cache_addition(false);
            $known = (int) $row['post_id'] ?: $this->stray($key);
            $postId = $this->put($known, $key, $listing);
            Table::update($this->gateway, $key, ['post_id' => $postId] + self::filters($listing));
            if ($postId === $known) {
                update_post_meta($postId, self::META, wp_slash($listing));
                delete_post_meta($postId, RemovedListings::META);
            } else {
                add_post_meta($postId, self::META, wp_slash($listing));
            }
            $this->target->write($postId, $listing);
            $this->languages->write($postId, $listing);
        } finally {
            self::$isWriting = false;
            wp_suspend_cache_addition($isSuspended);
        }
        // Photos are done now if none must be fetched or deleted; otherwise later.
        $isDone = $row['photos_done'] === $photos || $this->photos->needNothing($postId, $listing);
        Table::update($this->gateway, $key, [
            'empreinte' => $empreinte, 'photos' => $photos, 'gone_at' => null, 'failure' => null,
            'photos_done' => $isDone ? $photos : ($row['photos_done'] === $photos ? '' : $row['photos_done']),
        ] + ($row['photos'] === $photos ? [] : ['photo_tries' => 0, 'photo_after' => null, 'photo_failure' => null]));
        clean_post_cache($postId);
    }

    /** The guid of a listing's post: it identifies a post whose row in the table is missing. */
    private static function guid(string $gateway, string $key): string
    {
        return 'https://passerelle.invalid/' . hash('sha256', "$gateway\n$key");
    }

    private function put(int $postId, string $key, array $listing): int
    {
        $type = $this->target->postTypeOf($listing);
        $post = $postId === 0 ? null : get_post($postId);
        if ($post !== null && $post->post_type !== $type) {
            RemovedListings::deletePosts($postId);
            $post = null;
        }
        if ($post === null && $postId !== 0) {
            // Marks the listing as unfinished, in case the run ends here.
            Table::update($this->gateway, $key, ['post_id' => 0, 'photos_done' => '']);
        }
        $title = Words::title($listing);
        $fields = [
            'post_type' => $type, 'post_status' => 'publish', 'post_title' => self::inert($title),
            'post_content' => self::html($listing['commentaires'] ?? ''), 'comment_status' => 'closed', 'ping_status' => 'closed',
        ];
        if ($post !== null) {
            // Keeps the address, because other sites link to it.
            $slug = preg_replace('/__trashed(-\d+)?$/', '', $post->post_name);
            $done = wp_update_post(wp_slash(['ID' => $postId, 'post_name' => $slug] + $fields), true);
        } else {
            $slug = sanitize_title($title . ' ' . ($listing['affNum'] ?? $listing['affId']));
            $added = ['guid' => self::guid($this->gateway, $key), 'post_name' => $slug] + self::dates($listing);
            $done = wp_insert_post(wp_slash($fields + $added), true);
        }
        if (is_wp_error($done)) {
            throw new \RuntimeException($done->get_error_message());
        }
        return $done;
    }

    /** A post of this listing whose row is missing, as after the restore of an older table; 0 when there is none. */
    private function stray(string $key): int
    {
        global $wpdb;
        $this->strays = $this->strays ?? array_map('intval', array_column(Table::rows(
            "SELECT p.ID, p.guid FROM $wpdb->posts p LEFT JOIN " . Table::name() . " t ON t.post_id = p.ID
             WHERE t.post_id IS NULL AND p.guid LIKE 'https://passerelle.invalid/%'"
        ), 'ID', 'guid'));
        return $this->strays[self::guid($this->gateway, $key)] ?? 0;
    }

    /** Finds posts of a run that ended before it could note them. */
    public static function recover(string $gateway): void
    {
        global $wpdb;
        foreach (Table::rows($wpdb->prepare('SELECT aff_id FROM ' . Table::name() . ' WHERE gateway = %s AND post_id = 0', $gateway)) as ['aff_id' => $key]) {
            $posts = Table::rows($wpdb->prepare("SELECT ID FROM $wpdb->posts WHERE guid = %s", self::guid($gateway, $key)));
            if ($posts !== []) {
                Table::update($gateway, $key, ['post_id' => (int) $posts[0]['ID']]);
            }
        }
    }

    /** Plain text as paragraphs. */
    public static function html(string $text): string
    {
        return self::inert(trim(wpautop(esc_html($text))));
    }

    /**
     * Texts that look like shortcodes in a listing must stay text: WordPress, themes and page builders would run them
     * with the CRM's content. WordPress ignores brackets in this notation.
     */
    public static function inert(string $html): string
    {
        return strtr($html, ['[' => '&#091;', ']' => '&#093;']);
    }

    /**
     * The CRM's creation date, unless it is in the future: WordPress would schedule such a post instead of showing it.
     */
    private static function dates(array $listing): array
    {
        $time = strtotime($listing['dateCreation'] ?? '');
        if ($time === false || $time <= 0 || $time > time()) {
            return [];
        }
        $date = gmdate('Y-m-d H:i:s', $time);
        return ['post_date' => get_date_from_gmt($date), 'post_date_gmt' => $date];
    }

    /** The fields by which lists are filtered. */
    private static function filters(array $listing): array
    {
        return [
            'offer' => self::short($listing['typeTransaction'] ?? '', 40), 'kind' => self::short($listing['typeCode'] ?? '', 40),
            'town' => self::short($listing['ville'] ?? '', 190), 'area' => $listing['surfaceHabitable'] ?? $listing['surfaceTerrain'] ?? null, 'rooms' => $listing['nbrePieces'] ?? null,
        ] + Table::pricing($listing) + Search::columns($listing) + Position::columns($listing);
    }

    private static function short(string $text, int $characters): string
    {
        return mb_substr($text, 0, $characters);
    }
}
