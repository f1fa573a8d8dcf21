<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** The position of a listing with the precision that visitors may see: two decimals if the street is not public. */
final class Position
{
    private const DECIMALS = 2;
    /** Fields of other themes and plugins that contain a listing's position. */
    private const FIELDS = [
        'fave_property_location', 'houzez_geolocation_lat', 'houzez_geolocation_long', '_latitude', '_longitude', 'REAL_HOMES_property_location',
        'property_latitude', 'property_longitude', 'property_address_coordinates',
    ];

    /** The listing as it may be stored and shown. */
    public static function published(array $listing): array
    {
        if (self::hasStreet($listing)) {
            return $listing;
        }
        foreach (['latitude', 'longitude'] as $name) {
            if (is_numeric($listing[$name] ?? null)) {
                $listing[$name] = self::coarse((float) $listing[$name]);
            }
        }
        return $listing;
    }

    /** A degree with two decimals, even if PHP is set to write 17 digits of each number. */
    public static function coarse(float $degrees): float
    {
        ini_set('serialize_precision', '-1');
        return round($degrees, self::DECIMALS);
    }

    /** The columns of the table for a position. @return array{lat: ?float, lon: ?float, is_exact: int} */
    public static function columns(array $listing): array
    {
        $listing = self::published($listing);
        [$lat, $lon] = [$listing['latitude'] ?? null, $listing['longitude'] ?? null];
        if (!is_numeric($lat) || !is_numeric($lon)) {
            return ['lat' => null, 'lon' => null, 'is_exact' => 0];
        }
        // A position with two decimals shows the district, even if the street is known.
        $isCoarse = self::coarse((float) $lat) === (float) $lat && self::coarse((float) $lon) === (float) $lon;
        return ['lat' => (float) $lat, 'lon' => (float) $lon, 'is_exact' => self::hasStreet($listing) && !$isCoarse ? 1 : 0];
    }

    /** Shortens the position that an earlier release stored for a listing. */
    public static function shorten(int $postId, array $listing): void
    {
        $published = self::published($listing);
        if ($published === $listing) {
            return;
        }
        // Updates the listing last, because this marks the other fields as done.
        foreach (self::FIELDS as $name) {
            $value = get_post_meta($postId, $name, true);
            if (is_scalar($value) && $value !== '') {
                update_post_meta($postId, $name, preg_replace_callback('/-?\d+\.\d+/', static fn(array $found): string => (string) self::coarse((float) $found[0]), (string) $value));
            }
        }
        update_post_meta($postId, Writer::META, wp_slash($published));
    }

    /** The same of the table. */
    public static function shortenColumns(): void
    {
        global $wpdb;
        $wpdb->query($wpdb->prepare('UPDATE ' . Table::name() . ' SET lat = ROUND(lat, %1$d), lon = ROUND(lon, %1$d) WHERE is_exact = 0 AND lat IS NOT NULL', self::DECIMALS));
    }

    private static function hasStreet(array $listing): bool
    {
        return ($listing['adresse'] ?? '') !== '';
    }
}
