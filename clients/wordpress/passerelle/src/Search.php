<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** Filters and sorts listings. A price filter applies to one kind of offer and one currency. */
final class Search
{
    /** The SQL condition of each filter; `psr` is the alias of the table. */
    private const CONDITIONS = [
        'offre' => 'psr.offer = %s', 'bien' => 'psr.kind = %s', 'ville' => 'psr.town = %s', 'devise' => 'psr.currency = %s',
        'prix_min' => 'psr.price >= %d', 'prix_max' => 'psr.price <= %d', 'surface_min' => 'psr.area >= %d', 'favoris' => 'FIND_IN_SET(psr.post_id, %s) > 0',
    ];
    private const LIVE = 'psr.gone_at IS NULL AND psr.post_id > 0';

    /**
     * @var array<string, array<string, int>>|null numbers of listings with a price, by `sale` or `rent` and currency
     */
    private static ?array $prices = null;

    /**
     * @param array<string, mixed> $filters @param string $except a filter to ignore @return string conditions, each
     * preceded by AND
     */
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
        // Some offers, such as lease assignments, have prices and rents. The count of each offer uses its own kind of price.
        $where .= ' AND psr.is_rent = ' . ($except === 'offre' ? "(psr.offer IN ('" . implode("', '", Prices::RENTALS) . "'))" : (self::isOfRents($filters) ? 1 : 0));
        return isset($filters['devise']) || !self::hasSeveralCurrencies() ? $where : $where . $wpdb->prepare(' AND psr.currency = %s', self::currency($filters));
    }

    /** The order of a list. Prices of one kind and one currency stay together, sales before rents. */
    public static function order(array $filters): string
    {
        global $wpdb;
        $together = 'psr.price IS NULL, psr.is_rent, ' . $wpdb->prepare('psr.currency <> %s, ', self::currency($filters)) . 'psr.currency, ';
        $orders = ['cheap' => "{$together}psr.price", 'dear' => "{$together}psr.price DESC", 'large' => 'psr.area IS NULL, psr.area DESC'];
        return ($orders[$filters['tri'] ?? ''] ?? "$wpdb->posts.post_date DESC") . ", $wpdb->posts.ID";
    }

    /**
     * Each existing value, with the number of listings that have it and match the other filters.
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

    /**
     * The currency of the filters; if they have none, the most frequent currency for this kind of offer; empty without
     * prices.
     */
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

    /** Whether the site has both sale prices and rents, so that a price filter is ambiguous without an offer. */
    public static function hasSalesAndRents(): bool
    {
        return isset(self::prices()['sale'], self::prices()['rent']);
    }

    /** Whether a price filter applies to rents: either the filtered offer is a rental, or the site only has rentals. */
    private static function isOfRents(array $filters): bool
    {
        return isset($filters['offre']) ? in_array($filters['offre'], Prices::RENTALS, true) : !isset(self::prices()['sale']) && isset(self::prices()['rent']);
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
