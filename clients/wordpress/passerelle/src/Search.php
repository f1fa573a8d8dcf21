<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** Which listings the filters leave, and in which order. A price belongs to one kind of offer and one currency. */
final class Search
{
    /** The condition of each filter on the table, whose alias is `psr`. */
    private const CONDITIONS = [
        'offre' => 'psr.offer = %s', 'bien' => 'psr.kind = %s', 'ville' => 'psr.town = %s', 'devise' => 'psr.currency = %s',
        'prix_min' => 'psr.price >= %d', 'prix_max' => 'psr.price <= %d', 'surface_min' => 'psr.area >= %d', 'favoris' => 'FIND_IN_SET(psr.post_id, %s) > 0',
    ];
    private const LIVE = 'psr.gone_at IS NULL AND psr.post_id > 0';

    /** @var array<string, array<string, int>>|null listings with a price, by `sale` or `rent` and currency */
    private static ?array $prices = null;

    /** @param array<string, mixed> $filters @param string $except a filter that does not count @return string conditions, each behind AND */
    public static function where(array $filters, string $except = ''): string
    {
        global $wpdb;
        $where = '';
        foreach (self::CONDITIONS as $name => $condition) {
            $where .= isset($filters[$name]) && $name !== $except ? $wpdb->prepare(" AND $condition", $filters[$name]) : '';
        }
        if (!isset($filters['prix_min']) && !isset($filters['prix_max'])) {
            return $where;
        }
        if (!isset($filters['offre']) || $except === 'offre') {
            $where .= ' AND psr.is_rent = ' . (self::isOfRents($filters) ? 1 : 0);
        }
        return isset($filters['devise']) || !self::hasSeveralCurrencies() ? $where : $where . $wpdb->prepare(' AND psr.currency = %s', self::currency($filters));
    }

    /** The order of a list: prices of one kind and one currency stay together, sales before rents. */
    public static function order(array $filters): string
    {
        global $wpdb;
        $together = 'psr.price IS NULL, psr.is_rent, ' . $wpdb->prepare('psr.currency <> %s, ', self::currency($filters)) . 'psr.currency, ';
        $orders = ['cheap' => "{$together}psr.price", 'dear' => "{$together}psr.price DESC", 'large' => 'psr.area IS NULL, psr.area DESC'];
        return ($orders[$filters['tri'] ?? ''] ?? "$wpdb->posts.post_date DESC") . ", $wpdb->posts.ID";
    }

    /**
     * Each value that occurs, with how many listings the other filters leave of it.
     *
     * @return array{offer: array<string, int>, kind: array<string, int>, town: array<string, int>}
     */
    public static function choices(array $filters): array
    {
        $choices = ['offer' => [], 'kind' => [], 'town' => []];
        $queries = [];
        foreach (['offer' => 'offre', 'kind' => 'bien', 'town' => 'ville'] as $column => $name) {
            $queries[] = "SELECT '$column' AS name, $column AS value, count(*) AS count FROM " . Table::name() . ' psr WHERE ' . self::LIVE . " AND $column <> ''" . self::where($filters, $name) . " GROUP BY $column";
        }
        foreach (Table::rows(implode(' UNION ALL ', $queries) . ' ORDER BY value') as $row) {
            $choices[$row['name']][$row['value']] = (int) $row['count'];
        }
        return $choices;
    }

    /** The currency of the filters, else that of most listings that they may mean; empty where none has one. */
    public static function currency(array $filters): string
    {
        $counts = self::prices()[self::isOfRents($filters) ? 'rent' : 'sale'] ?? [];
        return (string) ($filters['devise'] ?? array_key_first($counts) ?? '');
    }

    /** @return string[] the currencies of all prices, the most frequent first */
    public static function currencies(): array
    {
        $all = array_map('array_keys', array_values(self::prices()));
        return array_values(array_filter(array_unique(array_merge([], ...$all))));
    }

    public static function hasSeveralCurrencies(): bool
    {
        return count(self::currencies()) > 1;
    }

    /** Whether a price without an offer would be that of a purchase, among others that are rents. */
    public static function hasSalesAndRents(): bool
    {
        return isset(self::prices()['sale'], self::prices()['rent']);
    }

    /** Whether a price of the filters is a rent: by the offer, else where the site sells nothing. */
    private static function isOfRents(array $filters): bool
    {
        return isset($filters['offre']) ? in_array($filters['offre'], ['location', 'location-saisonniere'], true) : !isset(self::prices()['sale']) && isset(self::prices()['rent']);
    }

    /** @return array<string, array<string, int>> */
    private static function prices(): array
    {
        if (self::$prices === null) {
            self::$prices = [];
            foreach (Table::rows('SELECT is_rent, currency, count(*) AS count FROM ' . Table::name() . ' psr WHERE ' . self::LIVE . ' AND price IS NOT NULL GROUP BY is_rent, currency ORDER BY count DESC, currency') as $row) {
                self::$prices[$row['is_rent'] === '1' ? 'rent' : 'sale'][$row['currency']] = (int) $row['count'];
            }
        }
        return self::$prices;
    }
}
