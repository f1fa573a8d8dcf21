<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** What becomes of a listing that the complete list no longer has. */
final class Gone
{
    public const META = '_passerelle_gone';
    private const BURIED_AFTER_DAYS = 30;

    private string $gateway;
    private string $way;

    public function __construct(string $gateway, array $settings)
    {
        $this->gateway = $gateway;
        $this->way = $settings['gone'];
    }

    /** A draft first; or the page stays, with its first photo, and says that the property is no longer to be had. */
    public function take(string $key): void
    {
        Table::announce($this->gateway, $key);
        $row = Table::find($this->gateway, $key);
        $postId = (int) ($row['post_id'] ?? 0);
        Writer::$isWriting = true;
        try {
            foreach ($postId === 0 ? [] : Languages::posts($postId) as $id) {
                if ($this->way === 'keep') {
                    update_post_meta($id, self::META, '1');
                } elseif (get_post_status($id) === 'publish') {
                    wp_update_post(['ID' => $id, 'post_status' => 'draft']);
                }
            }
            if ($this->way === 'keep' && $postId !== 0) {
                Photos::keepFirst($postId);
            }
        } finally {
            Writer::$isWriting = false;
        }
        Table::update($this->gateway, $key, ['gone_at' => current_time('mysql', true)]);
    }

    /** Deletes drafts that have been gone for a month, with their photos. @return int how many */
    public function bury(callable $mayGoOn): int
    {
        global $wpdb;
        $before = gmdate('Y-m-d H:i:s', time() - self::BURIED_AFTER_DAYS * DAY_IN_SECONDS);
        $due = Table::rows($wpdb->prepare('SELECT aff_id, post_id FROM ' . Table::name() . ' WHERE gateway = %s AND gone_at < %s', $this->gateway, $before));
        $buried = 0;
        foreach ($due as ['aff_id' => $key, 'post_id' => $postId]) {
            // A page that is shown was kept for visitors and search engines.
            if (get_post_status((int) $postId) === 'publish') {
                continue;
            }
            if (!$mayGoOn()) {
                break;
            }
            self::delete($this->gateway, $key, (int) $postId);
            $buried += 1;
        }
        return $buried;
    }

    /** Deletes all listings of a gateway. Whoever calls it has the lock. @return int how many are left */
    public static function deleteAll(string $gateway, callable $mayGoOn): int
    {
        global $wpdb;
        Writer::recover($gateway);
        foreach (Table::rows($wpdb->prepare('SELECT aff_id, post_id FROM ' . Table::name() . ' WHERE gateway = %s', $gateway)) as $row) {
            if (!$mayGoOn()) {
                break;
            }
            self::delete($gateway, $row['aff_id'], (int) $row['post_id']);
        }
        return Table::count($gateway);
    }

    /** The row last: it says that there is something to delete. */
    public static function delete(string $gateway, string $key, int $postId): void
    {
        $wasWriting = Writer::$isWriting;
        Writer::$isWriting = true;
        try {
            self::deletePosts($postId);
        } finally {
            Writer::$isWriting = $wasWriting;
        }
        Table::forget($gateway, $key);
    }

    /** A post with its photos and its pages in other languages, itself last. */
    public static function deletePosts(int $postId): void
    {
        Photos::deleteAll($postId);
        foreach ($postId === 0 ? [] : array_reverse(Languages::posts($postId)) as $id) {
            wp_delete_post($id, true);
        }
    }
}
