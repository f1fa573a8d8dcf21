<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** Checks whether a photo in the media library is complete: the file, and each size that WordPress makes of it. */
final class StoredPhoto
{
    /** The number of downloaded bytes, set last. A killed run leaves its attachment without this mark. */
    public const MARK = '_passerelle_bytes';
    /** WordPress writes no bytes after the end of an image; cameras and other software may. */
    private const SLACK = 32;
    private const SLACK_OF_OTHERS = 65536;
    /**
     * The disk counts as full if it has less free space than this, or too little for a photo and the sizes that
     * WordPress makes of it.
     */
    private const ROOM = 1024 * 1024;
    private const WITH_SIZES = 3;
    /** A size that is larger than this share of the photo is not made: themes then show the photo itself. */
    private const NEARLY_WHOLE = 0.9;

    public static function register(): void
    {
        add_filter('intermediate_image_sizes_advanced', [self::class, 'usefulSizes'], 10, 3);
    }

    /** Sizes to make of a photo. The largest size takes most of the time, and may be nearly as large as the photo. */
    public static function usefulSizes(array $sizes, array $metadata, int $id = 0): array
    {
        if (strpos((string) get_post_field('post_content_filtered', $id, 'raw'), Photos::MARK) !== 0 || empty($metadata['width']) || empty($metadata['height'])) {
            return $sizes;
        }
        return array_filter($sizes, static function (array $size) use ($metadata): bool {
            $share = min(($size['width'] ?? 0 ?: INF) / $metadata['width'], ($size['height'] ?? 0 ?: INF) / $metadata['height']);
            return !empty($size['crop']) || $share < self::NEARLY_WHOLE || $share >= 1;
        });
    }

    /** Marks a photo without a mark as complete. */
    public static function mark(int $id): void
    {
        add_post_meta($id, self::MARK, (string) (int) filesize((string) self::original($id)));
    }

    public static function isWhole(int $id): bool
    {
        require_once ABSPATH . 'wp-admin/includes/image.php';
        $shown = (string) get_attached_file($id);
        if (wp_is_stream($shown)) {
            // Another plugin stores the file elsewhere and has removed it from this server.
            return true;
        }
        $metadata = wp_get_attachment_metadata($id);
        $original = self::original($id);
        if (!is_array($metadata) || $original === null || !self::isDownloaded($id, $original) || ($original !== $shown && !self::hasEnd($shown, self::SLACK))) {
            return false;
        }
        foreach ($metadata['sizes'] ?? [] as $size) {
            if (!self::hasEnd(dirname($shown) . '/' . $size['file'], self::SLACK)) {
                return false;
            }
        }
        return self::missingSizes($id, $metadata) === [];
    }

    /** Whether the file contains an image up to its end. */
    public static function hasEnd(string $file, int $slack = self::SLACK_OF_OTHERS): bool
    {
        clearstatcache(true, $file);
        $bytes = is_file($file) ? (int) filesize($file) : 0;
        $handle = $bytes < 12 ? false : fopen($file, 'rb');
        if ($handle === false) {
            return false;
        }
        $head = (string) fread($handle, 12);
        fseek($handle, -min($bytes, $slack), SEEK_END);
        $tail = (string) stream_get_contents($handle);
        fclose($handle);
        if (strncmp($head, 'RIFF', 4) === 0) {
            return unpack('V', substr($head, 4, 4))[1] + 8 <= $bytes;
        }
        foreach (["\xFF\xD8" => "\xFF\xD9", "\x89PNG" => 'IEND', 'GIF8' => "\x3B"] as $start => $end) {
            if (strncmp($head, $start, strlen($start)) === 0) {
                return strpos($tail, $end) !== false;
            }
        }
        // A plugin may have converted the file to another format.
        return true;
    }

    /** Whether the disk, or the hosting provider's quota, lacks space for a photo of this many bytes and its sizes. */
    public static function isDiskFull(int $bytes): bool
    {
        $wanted = max(self::ROOM, self::WITH_SIZES * $bytes);
        $folder = wp_upload_dir(null, false)['basedir'];
        $room = function_exists('disk_free_space') ? @disk_free_space($folder) : false; // phpcs:ignore -- hosters forbid it
        if ($room !== false && $room < $wanted) {
            return true;
        }
        // Only a write reveals a provider's quota.
        $file = "$folder/passerelle/room.part";
        $written = wp_mkdir_p(dirname($file)) ? @file_put_contents($file, str_repeat("\0", $wanted)) : false; // phpcs:ignore -- the result tells
        if (is_file($file)) {
            unlink($file);
            return $written !== $wanted;
        }
        return false;
    }

    private static function original(int $id): ?string
    {
        $file = wp_get_original_image_path($id);
        return is_string($file) && is_file($file) ? $file : null;
    }

    /** Another plugin may have made the file smaller: then the file must contain the end of its image. */
    private static function isDownloaded(int $id, string $original): bool
    {
        clearstatcache(true, $original);
        return (int) get_post_meta($id, self::MARK, true) === (int) filesize($original) || self::hasEnd($original);
    }

    /** The image's missing sizes, among the sizes that this site makes. */
    private static function missingSizes(int $id, array $metadata): array
    {
        $missing = wp_get_missing_image_subsizes($id);
        if ($missing === [] || !wp_image_editor_supports(['mime_type' => (string) get_post_mime_type($id)])) {
            return [];
        }
        // With this WordPress filter, themes and plugins remove sizes.
        return (array) apply_filters('intermediate_image_sizes_advanced', $missing, $metadata, $id);
    }
}
