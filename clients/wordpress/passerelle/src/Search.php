<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/**
 * Filters and sorts listings. A price filter applies to one kind of offer and one currency. Each filter is one text or
 * number, so that an address, a saved search and a map can carry it.
 */
final class Search
{
    /** The SQL condition of each filter; `psr` is the alias of the table. */
    private const CONDITIONS = [
        'offre' => 'psr.offer = %s', 'bien' => 'psr.kind = %s', 'devise' => 'psr.currency = %s',
        'prix_min' => 'psr.price >= %d', 'prix_max' => 'psr.price <= %d', 'surface_min' => 'psr.area >= %d', 'favoris' => 'FIND_IN_SET(psr.post_id, %s) > 0',
        'chambres_min' => 'psr.bedrooms >= %d', 'pieces_min' => 'psr.rooms >= %d', 'terrain_min' => 'psr.plot >= %d',
        'dpe' => "psr.energy <> '' AND psr.energy <= %s", 'agent' => 'psr.agent = %s',
    ];
    /** Fields that visitors may require. The bits of the column `features` have this order: only add at the end. */
    private const FEATURES = ['ascenseur', 'balcon', 'terrasse', 'jardin', 'piscine', 'parking', 'cave', 'climatisation', 'cheminee', 'meuble', 'accessible', 'animaux'];
    private const CLASSES = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
    public const RADII = [5, 10, 25, 50];
    /** Kilometres of a degree of latitude. */
    private const DEGREE_KM = 111.2;
    private const MOST_TOWNS = 20;
    private const LIVE = 'psr.gone_at IS NULL AND psr.post_id > 0';
    /** The number of prices by kind (1 for rents) and currency. */
    private const PRICES = "SELECT 'price' AS name, CONCAT(psr.is_rent, psr.currency) AS value, count(*) AS count, MIN(psr.price) AS least, MAX(psr.price) AS most FROM {table} psr WHERE " . self::LIVE . ' AND psr.price IS NOT NULL GROUP BY psr.is_rent, psr.currency';

    /**
     * @var array<string, array<string, int>>|null numbers of listings with a price, by `sale` or `rent` and currency
     */
    private static ?array $prices = null;
    /** @var array<string, array<string, array{0: float, 1: float}>> the lowest and highest price, in the same way */
    private static array $bounds = [];
    /** The first digits of the steps of the price slider. */
    private const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8];

    /**
     * @param array<string, mixed> $filters @param string $except a filter to ignore @return string conditions, each
     * preceded by AND
     */
    public static function where(array $filters, string $except = ''): string
    {
        global $wpdb;
        $where = '';
        foreach (array_diff_key(array_filter($filters, static fn($value): bool => $value !== null), [$except => 1]) as $name => $value) {
            $where .= isset(self::CONDITIONS[$name]) ? $wpdb->prepare(' AND ' . self::CONDITIONS[$name], $value) : self::condition($name, (string) $value);
        }
        if (!isset($filters['prix_min']) && !isset($filters['prix_max'])) {
            return $where;
        }
        // Some offers, such as lease assignments, have prices and rents. The count of each offer uses its own kind of price.
        $where .= ' AND psr.is_rent = ' . ($except === 'offre' ? "(psr.offer IN ('" . implode("', '", Prices::RENTALS) . "'))" : (self::isOfRents($filters) ? 1 : 0));
        return isset($filters['devise']) || !self::hasSeveralCurrencies() ? $where : $where . $wpdb->prepare(' AND psr.currency = %s', self::currency($filters));
    }

    /** The condition of a filter that is more than one comparison; empty for a filter that is none. */
    private static function condition(string $name, string $value): string
    {
        global $wpdb;
        switch ($name) {
            case 'ville':
                $towns = explode('|', $value);
                return $wpdb->prepare(' AND psr.town IN (' . implode(', ', array_fill(0, count($towns), '%s')) . ')', $towns);
            case 'equipements':
                $bits = self::bits(explode(',', $value));
                return " AND (psr.features & $bits) = $bits";
            case 'libre':
                return " AND psr.status NOT IN ('vendu', 'loue')";
            case 'autour':
                [$lat, $lon, $km] = array_map('floatval', explode(',', $value));
                $high = $km / self::DEGREE_KM;
                $wide = $high / max(0.01, cos(deg2rad($lat)));
                return $wpdb->prepare(
                    ' AND psr.lat BETWEEN %f AND %f AND psr.lon BETWEEN %f AND %f AND POW((psr.lat - %f) / %f, 2) + POW((psr.lon - %f) / %f, 2) <= 1',
                    ...[$lat - $high, $lat + $high, $lon - $wide, $lon + $wide, $lat, $high, $lon, $wide]
                );
            case 'mots':
                $where = '';
                foreach (array_slice(preg_split('/\s+/u', $value) ?: [], 0, 8) as $word) {
                    // A plural finds the singular, too.
                    $like = '%' . $wpdb->esc_like(preg_replace('/(?<=\p{L}{3})[sx]$/u', '', $word) ?? $word) . '%';
                    $where .= $wpdb->prepare(" AND (psr.reference = %s OR psr.post_id IN (SELECT ID FROM $wpdb->posts WHERE post_type = %s AND (post_title LIKE %s OR post_content LIKE %s)))", $word, PostType::NAME, $like, $like);
                }
                return $where;
            default:
                return '';
        }
    }

    /** The columns of a listing's row that only searches read. @return array<string, int|float|string|null> */
    public static function columns(array $listing): array
    {
        $class = $listing['dpeClasse'] ?? '';
        return [
            'bedrooms' => $listing['nbreChambres'] ?? null, 'plot' => $listing['surfaceTerrain'] ?? null,
            'energy' => in_array($class, self::CLASSES, true) ? $class : '', 'status' => substr($listing['statut'] ?? '', 0, 20),
            'reference' => mb_substr($listing['affNum'] ?? $listing['affId'] ?? '', 0, 100),
            'agent' => mb_substr($listing['negoNom'] ?? '', 0, 190), 'features' => self::bits(array_keys(array_filter($listing, static fn($value): bool => $value === true))),
        ];
    }

    /** @param string[] $fields */
    private static function bits(array $fields): int
    {
        $bits = 0;
        foreach (self::FEATURES as $place => $field) {
            $bits |= in_array($field, $fields, true) ? 1 << $place : 0;
        }
        return $bits;
    }

    /** The features in words. @return array<string, string> */
    public static function features(): array
    {
        return array_combine(self::FEATURES, [
            __('Lift', 'passerelle'), __('Balcony', 'passerelle'), __('Terrace', 'passerelle'), __('Garden', 'passerelle'), __('Swimming pool', 'passerelle'),
            __('Parking', 'passerelle'), __('Cellar', 'passerelle'), __('Air conditioning', 'passerelle'), __('Fireplace', 'passerelle'),
            __('Furnished', 'passerelle'), __('Accessible', 'passerelle'), __('Pets allowed', 'passerelle'),
        ]);
    }

    /**
     * The visitor's or an owner's values of the filters beyond price and offer. Invalid values become null, as if they
     * were absent. @param array<string, string> $given @return array<string, string|int|null>
     */
    public static function further(array $given): array
    {
        $count = static fn(string $name): ?int => preg_match('/^\d{1,6}$/', $given[$name] ?? '') === 1 && (int) $given[$name] > 0 ? (int) $given[$name] : null;
        $towns = array_slice(array_filter(array_map('trim', explode('|', $given['ville'] ?? '')), static fn(string $town): bool => $town !== ''), 0, self::MOST_TOWNS);
        $features = array_intersect(self::FEATURES, array_map('trim', explode(',', strtolower($given['equipements'] ?? ''))));
        $class = strtoupper($given['dpe'] ?? '');
        return [
            'ville' => $towns === [] ? null : implode('|', array_unique($towns)), 'autour' => self::around($given),
            'chambres_min' => $count('chambres_min'), 'pieces_min' => $count('pieces_min'), 'terrain_min' => $count('terrain_min'),
            'dpe' => in_array($class, self::CLASSES, true) ? $class : null, 'equipements' => $features === [] ? null : implode(',', $features),
            'mots' => ($given['mots'] ?? '') === '' ? null : mb_substr($given['mots'], 0, 100), 'libre' => ($given['libre'] ?? '') === 'oui' ? 'oui' : null,
            'agent' => ($given['agent'] ?? '') === '' ? null : mb_substr($given['agent'], 0, 190),
        ];
    }

    /** A circle as `latitude,longitude,kilometres`. The form sends the radius by itself. */
    private static function around(array $given): ?string
    {
        $number = '(-?\d{1,3}(?:\.\d{1,6})?)';
        if (preg_match("/^$number,$number(?:,(\d{1,3}))?$/", $given['autour'] ?? '', $parts) !== 1 || abs((float) $parts[1]) > 90 || abs((float) $parts[2]) > 180) {
            return null;
        }
        $km = (int) ($given['rayon'] ?? '') ?: (int) ($parts[3] ?? 0) ?: self::RADII[1];
        return "$parts[1],$parts[2]," . min(200, $km);
    }

    /** A filter in words for saved searches and the form; null for a filter that has none. */
    public static function words(string $name, string $value): ?string
    {
        switch ($name) {
            case 'ville':
                return implode(', ', explode('|', $value));
            case 'autour':
                /* translators: %s: a number of kilometres */
                return sprintf(__('within %s km', 'passerelle'), Numbers::format((int) explode(',', $value)[2]));
            case 'equipements':
                return implode(', ', array_intersect_key(self::features(), array_flip(explode(',', $value))));
            case 'dpe':
                /* translators: %s: a letter from A to G */
                return sprintf(__('Energy class %s or better', 'passerelle'), $value);
            case 'agent':
                return $value;
            case 'mots':
                return "“{$value}”";
            case 'libre':
                return __('Available only', 'passerelle');
            default:
                $labels = ['chambres_min' => __('Bedrooms from', 'passerelle'), 'pieces_min' => __('Rooms from', 'passerelle'), 'terrain_min' => __('Land from (m²)', 'passerelle')];
                return isset($labels[$name]) ? "$labels[$name] " . Numbers::format((int) $value) : null;
        }
    }

    /** The order of a list. Prices of one kind and one currency stay together, sales before rents. */
    public static function order(array $filters): string
    {
        global $wpdb;
        $order = ['cheap' => 'psr.price', 'dear' => 'psr.price DESC', 'large' => 'psr.area IS NULL, psr.area DESC'][$filters['tri'] ?? ''] ?? "$wpdb->posts.post_date DESC";
        if (strpos($order, 'psr.price') === 0) {
            $order = 'psr.price IS NULL, psr.is_rent, ' . $wpdb->prepare('psr.currency <> %s, ', self::currency($filters)) . "psr.currency, $order";
        }
        return "$order, $wpdb->posts.ID";
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
            $queries[] = "SELECT '$column' AS name, $column AS value, count(*) AS count, NULL AS least, NULL AS most FROM " . Table::name() . ' psr WHERE ' . self::LIVE . " AND $column <> ''" . self::where($filters, $name) . " GROUP BY $column";
        }
        if (self::$prices === null) {
            $queries[] = self::PRICES;
        }
        $prices = [];
        foreach (Table::rows(str_replace('{table}', Table::name(), implode(' UNION ALL ', $queries)) . ' ORDER BY value') as $row) {
            if ($row['name'] === 'price') {
                $prices[] = $row;
            } else {
                $choices[$row['name']][$row['value']] = (int) $row['count'];
            }
        }
        self::$prices = self::$prices ?? self::byCurrency($prices);
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

    /** The kind of a price filter and the steps of its slider, by kind and currency. @return array{0: string, 1: array<string, array<string, int[]>>} */
    public static function slider(array $filters): array
    {
        self::prices();
        $steps = array_map(static fn(array $bounds): array => array_filter(array_map(static fn(array $one): array => self::steps($one[0], $one[1]), $bounds)), self::$bounds);
        return [self::isOfRents($filters) ? 'rent' : 'sale', array_filter($steps)];
    }

    /** Round amounts from the lowest to the highest price; empty if there are too few to choose from. @return int[] */
    private static function steps(float $least, float $most): array
    {
        $steps = [];
        for ($power = 0; $power < 12; $power += 1) {
            foreach (self::STEPS as $digits) {
                $steps[] = (int) round($digits * 10 ** $power);
            }
        }
        $steps = array_values(array_unique($steps));
        $from = max(array_keys(array_filter($steps, static fn(int $step): bool => $step <= $least)) ?: [0]);
        $to = min(array_keys(array_filter($steps, static fn(int $step): bool => $step >= $most)) ?: [count($steps) - 1]);
        return $to - $from < 2 ? [] : array_slice($steps, $from, $to - $from + 1);
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
        return self::$prices = self::$prices ?? self::byCurrency(Table::rows(str_replace('{table}', Table::name(), self::PRICES)));
    }

    /** @param array[] $rows of the query `PRICES` @return array<string, array<string, int>> the most frequent currency first */
    private static function byCurrency(array $rows): array
    {
        usort($rows, static fn(array $one, array $other): int => [(int) $other['count'], $one['value']] <=> [(int) $one['count'], $other['value']]);
        $prices = [];
        foreach ($rows as $row) {
            [$kind, $currency] = [$row['value'][0] === '1' ? 'rent' : 'sale', substr($row['value'], 1)];
            $prices[$kind][$currency] = (int) $row['count'];
            self::$bounds[$kind][$currency] = [(float) $row['least'], (float) $row['most']];
        }
        return $prices;
    }
}
