<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** Listings like the one on the page: the same kind of offer and property, near, and about the same price. */
final class Similar
{
    private const MOST = 3;
    /** The largest difference of the price, as a share. */
    private const PRICE_RANGE = 0.3;
    /** The largest difference of latitude and longitude: about 50 km. */
    private const NEAR = [0.45, 0.65];

    /** @var array<int, int[]> the similar posts of the pages of this request */
    private static array $found = [];

    /** @return int[] posts, those of the same town first, then by the difference of the price */
    public static function of(int $postId): array
    {
        return self::$found[$postId] = self::$found[$postId] ?? self::find($postId);
    }

    private static function find(int $postId): array
    {
        global $wpdb;
        $table = Table::name();
        // A page in another language has the row of its original page.
        $sql = $wpdb->prepare("SELECT psr.post_id FROM $table me JOIN $table psr
            ON psr.offer = me.offer AND psr.kind = me.kind AND psr.post_id <> me.post_id AND psr.post_id > 0 AND psr.gone_at IS NULL
            AND (psr.town = me.town AND me.town <> '' OR ABS(psr.lat - me.lat) < %f AND ABS(psr.lon - me.lon) < %f)
            AND (me.price IS NULL OR psr.is_rent = me.is_rent AND psr.currency = me.currency AND psr.price BETWEEN me.price * %f AND me.price * %f)
            WHERE me.post_id = %d AND me.offer <> '' ORDER BY psr.town <> me.town, ABS(psr.price - me.price), psr.post_id LIMIT %d", self::NEAR[0], self::NEAR[1], 1 - self::PRICE_RANGE, 1 + self::PRICE_RANGE, wp_get_post_parent_id($postId) ?: $postId, self::MOST);
        return array_map('intval', array_column(Table::rows($sql), 'post_id'));
    }

    /** A section of cards; empty without similar listings. */
    public static function html(int $postId): string
    {
        $similar = self::of($postId);
        if ($similar === []) {
            return '';
        }
        _prime_post_caches($similar, false, true);
        ob_start();
        array_map([Pages::class, 'card'], $similar);
        return sprintf('<section class="psr-similar"><h2>%s</h2><ul class="psr-cards">%s</ul></section>', esc_html__('Similar properties', 'passerelle'), ob_get_clean());
    }
}
