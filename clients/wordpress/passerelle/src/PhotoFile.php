<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** Downloads one photo into the media library. */
final class PhotoFile
{
    private const MOST_BYTES = 25 * 1024 * 1024;
    private const TYPES = ['image/jpeg' => 'jpg', 'image/png' => 'png', 'image/webp' => 'webp', 'image/gif' => 'gif'];

    /** The last photo's size as announced by its server; 0 if unannounced. */
    public int $bytes = 0;
    private string $gateway;
    private string $host;

    public function __construct(array $gateway)
    {
        $this->gateway = Settings::nameOf($gateway['crm'], $gateway['client']);
        $this->host = self::hostOf($gateway['base']);
    }

    /** Null on success; otherwise the reason for failure. */
    public function import(array $photo, int $postId, array $listing, float $seconds): ?string
    {
        require_once ABSPATH . 'wp-admin/includes/image.php';
        require_once ABSPATH . 'wp-admin/includes/file.php';
        $folder = '/passerelle/' . substr(md5($this->gateway), 0, 12) . '/' . substr(md5($listing['affId'] ?? ''), 0, 16);
        $uploads = wp_upload_dir();
        if ($uploads['error'] !== false || !wp_mkdir_p($uploads['basedir'] . $folder)) {
            return __('The uploads folder is not writable.', 'passerelle');
        }
        $temporary = $uploads['basedir'] . $folder . '/' . $photo['empreinte'] . '.part';
        try {
            $failure = $this->download(Photos::address($photo, 1600), $temporary, $seconds);
            if ($failure !== null) {
                return $failure;
            }
            $type = wp_get_image_mime($temporary);
            if ($type === false || !isset(self::TYPES[$type])) {
                return __('It is not an image.', 'passerelle');
            }
            $file = $uploads['basedir'] . $folder . '/' . $photo['empreinte'] . '.' . self::TYPES[$type];
            rename($temporary, $file);
        } finally {
            if (is_file($temporary)) {
                unlink($temporary);
            }
        }
        // The row contains the mark, so that a later run finds the photo even if this run is killed.
        $id = wp_insert_attachment(wp_slash([
            'post_mime_type' => $type, 'post_title' => Writer::inert($photo['legende'] ?? Words::title($listing)), 'post_status' => 'inherit',
            // Otherwise WordPress tries one address after another, because the photos of a listing have the same title.
            'post_name' => sanitize_title(Words::title($listing) . ' ' . $photo['empreinte']),
            'post_content_filtered' => Photos::MARK . $photo['empreinte'], 'guid' => $uploads['baseurl'] . $folder . '/' . basename($file),
        ]), $file, $postId, true);
        if (is_wp_error($id)) {
            return $id->get_error_message();
        }
        add_post_meta($id, '_wp_attachment_image_alt', wp_slash($photo['legende'] ?? Words::title($listing)));
        self::makeSizes($id, $file);
        if (!StoredPhoto::isWhole($id)) {
            wp_delete_attachment($id, true);
            return __('The sizes of the photo could not be created.', 'passerelle');
        }
        StoredPhoto::mark($id);
        return null;
    }

    /**
     * WordPress stores the list of sizes after each size, so that a killed run is visible. It looks for its row each
     * time; this photo is new, so the row is known.
     */
    private static function makeSizes(int $id, string $file): void
    {
        [$row, $stored] = [0, null];
        $write = static function ($done, $postId, $key, $value) use ($id, &$row, &$stored) {
            if ($done !== null || (int) $postId !== $id || $key !== '_wp_attachment_metadata') {
                return $done;
            }
            if ($value !== $stored) {
                $isWritten = $row === 0 ? ($row = (int) add_post_meta($id, $key, wp_slash($value))) > 0 : update_metadata_by_mid('post', $row, $value);
                $stored = $isWritten ? $value : null;
            }
            return $stored === null ? $done : true;
        };
        add_filter('update_post_metadata', $write, 10, 4);
        try {
            wp_update_attachment_metadata($id, wp_generate_attachment_metadata($id, $file));
        } finally {
            remove_filter('update_post_metadata', $write);
        }
    }

    private function download(string $url, string $file, float $seconds): ?string
    {
        // The owner has entered the gateway's address, so it may be in a private network. Other addresses come from a
        // feed.
        $isOurs = self::hostOf($url) === $this->host;
        $answer = ($isOurs ? 'wp_remote_get' : 'wp_safe_remote_get')($url, [
            'timeout' => max(2, min(15, $seconds)), 'redirection' => $isOurs ? 0 : 2, 'stream' => true, 'filename' => $file, 'limit_response_size' => self::MOST_BYTES,
        ]);
        if (is_wp_error($answer)) {
            return $isOurs || !self::isLocal($url) ? $answer->get_error_message() : __('Its address is on this machine: such photos are only fetched from the gateway itself.', 'passerelle');
        }
        $status = wp_remote_retrieve_response_code($answer);
        $announced = wp_remote_retrieve_header($answer, 'content-length');
        $this->bytes = min(self::MOST_BYTES, (int) $announced);
        if ($status !== 200) {
            return "HTTP $status";
        }
        clearstatcache(true, $file);
        $isWhole = is_numeric($announced) ? (int) $announced === filesize($file) : StoredPhoto::hasEnd($file);
        return $isWhole && filesize($file) < self::MOST_BYTES ? null : __('It was cut.', 'passerelle');
    }

    /** Whether an address is on this machine, as in a demonstration. */
    public static function isLocal(string $url): bool
    {
        return preg_match('/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i', (string) parse_url($url, PHP_URL_HOST)) === 1;
    }

    private static function hostOf(string $url): string
    {
        $parts = parse_url($url);
        return strtolower(($parts['scheme'] ?? '') . '://' . ($parts['host'] ?? '') . ':' . ($parts['port'] ?? ''));
    }
}
