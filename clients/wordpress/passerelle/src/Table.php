<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/**
 * Maps posts to listings. The primary key makes a duplicate impossible; an empty `empreinte` means that the listing is
 * being written, or must be written again.
 */
final class Table
{
    private const SCHEMA = '9';

    public static function name(): string
    {
        global $wpdb;
        return $wpdb->prefix . 'passerelle';
    }

    /** The table with the addresses of deleted pages. */
    public static function buried(): string
    {
        return self::name() . '_buried';
    }

    /**
     * Creates or updates the tables. Identifiers are stored as bytes, because they differ by case, accents and spaces.
     */
    public static function prepare(): void
    {
        global $wpdb;
        if (get_option('passerelle_schema') === self::SCHEMA) {
            return;
        }
        self::create(self::name(), "
            gateway varbinary(200) NOT NULL,
            aff_id varbinary(255) NOT NULL,
            post_id bigint unsigned NOT NULL DEFAULT 0,
            empreinte varbinary(16) NOT NULL DEFAULT '',
            photos varbinary(16) NOT NULL DEFAULT '',
            photos_done varbinary(16) NOT NULL DEFAULT '',
            gone_at datetime NULL,
            replaced_by varbinary(255) NOT NULL DEFAULT '',
            offer varchar(40) NOT NULL DEFAULT '',
            kind varchar(40) NOT NULL DEFAULT '',
            town varchar(190) NOT NULL DEFAULT '',
            price decimal(14,2) NULL,
            currency varchar(3) NOT NULL DEFAULT '',
            is_rent tinyint NOT NULL DEFAULT 0,
            area decimal(12,2) NULL,
            rooms decimal(6,1) NULL,
            bedrooms decimal(6,1) NULL,
            plot decimal(14,2) NULL,
            energy varchar(1) NOT NULL DEFAULT '',
            features int unsigned NOT NULL DEFAULT 0,
            status varchar(20) NOT NULL DEFAULT '',
            reference varchar(100) NOT NULL DEFAULT '',
            agent varchar(190) NOT NULL DEFAULT '',
            lat decimal(9,6) NULL,
            lon decimal(9,6) NULL,
            is_exact tinyint NOT NULL DEFAULT 0,
            failure text NULL,
            photo_failure text NULL,
            photo_tries smallint unsigned NOT NULL DEFAULT 0,
            photo_after datetime NULL,
            PRIMARY KEY (gateway, aff_id),
            KEY post_id (post_id),
            KEY gone_at (gone_at)
        ");
        if ($wpdb->last_error === '' && $wpdb->get_results('SHOW COLUMNS FROM ' . self::name() . " LIKE 'lat'") === []) {
            // Upgrade from an earlier release: all listings are written again, for the map.
            $wpdb->query('ALTER TABLE ' . self::name() . ' ADD COLUMN lat decimal(9,6) NULL, ADD COLUMN lon decimal(9,6) NULL, ADD COLUMN is_exact tinyint NOT NULL DEFAULT 0');
            $wpdb->query('UPDATE ' . self::name() . " SET empreinte = ''");
        }
        if ($wpdb->last_error === '' && $wpdb->get_results('SHOW COLUMNS FROM ' . self::name() . " LIKE 'currency'") === []) {
            $wpdb->query('ALTER TABLE ' . self::name() . " ADD COLUMN currency varchar(3) NOT NULL DEFAULT '' AFTER price, ADD COLUMN is_rent tinyint NOT NULL DEFAULT 0 AFTER currency");
        }
        if ($wpdb->last_error === '' && $wpdb->get_results('SHOW COLUMNS FROM ' . self::name() . " LIKE 'features'") === []) {
            $wpdb->query('ALTER TABLE ' . self::name() . " ADD COLUMN bedrooms decimal(6,1) NULL, ADD COLUMN plot decimal(14,2) NULL, ADD COLUMN energy varchar(1) NOT NULL DEFAULT '',
                ADD COLUMN features int unsigned NOT NULL DEFAULT 0, ADD COLUMN status varchar(20) NOT NULL DEFAULT '', ADD COLUMN reference varchar(100) NOT NULL DEFAULT '', ADD COLUMN agent varchar(190) NOT NULL DEFAULT ''");
        }
        if ($wpdb->last_error === '' && $wpdb->get_results('SHOW COLUMNS FROM ' . self::name() . " LIKE 'replaced_by'") === []) {
            $wpdb->query('ALTER TABLE ' . self::name() . " ADD COLUMN replaced_by varbinary(255) NOT NULL DEFAULT '' AFTER gone_at");
        }
        $earlier = get_option('passerelle_schema');
        if ($earlier !== false) {
            self::restate();
        }
        if ($earlier !== false && (int) $earlier < 6) {
            // Upgrade from an earlier release: writes again texts that look like shortcodes.
            $wpdb->query('UPDATE ' . self::name() . " t JOIN $wpdb->posts p ON p.ID = t.post_id SET t.empreinte = '' WHERE p.post_content LIKE '%[%' OR p.post_title LIKE '%[%'");
            Photos::checkStored();
        }
        if ($earlier !== false && (int) $earlier < 9 && Settings::all()['target'] !== 'own') {
            // Upgrade from an earlier release: writes again listings in the fields of a theme, which have become more.
            $wpdb->query('UPDATE ' . self::name() . " SET empreinte = '' WHERE gone_at IS NULL");
        }
        // Addresses of deleted pages, which answer search engines with status 410, or lead to the listing that replaces theirs.
        $isMade = $wpdb->last_error === '' && self::create(self::buried(), "
            address varbinary(32) NOT NULL PRIMARY KEY,
            gone_at datetime NOT NULL,
            gateway varbinary(200) NOT NULL DEFAULT '',
            replaced_by varbinary(255) NOT NULL DEFAULT ''
        ");
        if ($isMade && $wpdb->get_results('SHOW COLUMNS FROM ' . self::buried() . " LIKE 'replaced_by'") === []) {
            $isMade = $wpdb->query('ALTER TABLE ' . self::buried() . " ADD COLUMN gateway varbinary(200) NOT NULL DEFAULT '', ADD COLUMN replaced_by varbinary(255) NOT NULL DEFAULT ''") !== false;
        }
        if ($isMade && Enquiries::prepare() && Alerts::prepare()) {
            update_option('passerelle_schema', self::SCHEMA, true);
        }
    }

    /** Updates the rows to the form of this release, reading each stored listing once. A killed update starts again. */
    private static function restate(): void
    {
        global $wpdb;
        $last = 0;
        do {
            $rows = self::rows($wpdb->prepare("SELECT meta_id, post_id, meta_value FROM $wpdb->postmeta WHERE meta_key = %s AND meta_id > %d ORDER BY meta_id LIMIT 200", Writer::META, $last));
            foreach ($rows as $row) {
                $last = (int) $row['meta_id'];
                $listing = maybe_unserialize($row['meta_value']);
                if (is_array($listing)) {
                    Position::shorten((int) $row['post_id'], $listing);
                    $wpdb->update(self::name(), self::pricing($listing) + Search::columns($listing), ['post_id' => (int) $row['post_id']]);
                }
            }
        } while ($rows !== []);
        Position::shortenColumns();
    }

    /**
     * The price for filters and sorting, its currency, and whether it is a monthly rent. The price of a range is its
     * lowest price. @return array{price: int|float|null, currency: string, is_rent: int}
     */
    public static function pricing(array $listing): array
    {
        $isRent = Prices::isRent($listing);
        $price = $isRent ? $listing['loyer'] : $listing['prix'] ?? $listing['prixPlage']['min'] ?? $listing['prixPlage']['max'] ?? null;
        return ['price' => $price, 'currency' => substr(Words::currency($listing), 0, 3), 'is_rent' => $isRent ? 1 : 0];
    }

    /** @param string $columns columns and keys @return bool whether the table exists */
    public static function create(string $name, string $columns): bool
    {
        global $wpdb;
        return $wpdb->query("CREATE TABLE IF NOT EXISTS $name ($columns) {$wpdb->get_charset_collate()}") !== false;
    }

    /** The stored form of an identifier: its hash if it is too long for the column. */
    public static function keyOf(string $affId): string
    {
        return strlen($affId) <= 255 ? $affId : 'sha256:' . hash('sha256', $affId);
    }

    /**
     * @return array<string, array{0: string, 1: bool}> empreinte and whether the listing was removed, by key with the
     * prefix `=`
     */
    public static function have(string $gateway): array
    {
        global $wpdb;
        $have = [];
        $rows = self::rows($wpdb->prepare('SELECT aff_id, empreinte, gone_at IS NOT NULL FROM ' . self::name() . ' WHERE gateway = %s', $gateway), ARRAY_N);
        foreach ($rows as [$key, $empreinte, $isGone]) {
            // PHP turns array keys that look like numbers into integers.
            $have["=$key"] = [$empreinte, $isGone === '1'];
        }
        return $have;
    }

    public static function find(string $gateway, string $key): ?array
    {
        global $wpdb;
        $rows = self::rows($wpdb->prepare('SELECT * FROM ' . self::name() . ' WHERE gateway = %s AND aff_id = %s', $gateway, $key));
        return $rows[0] ?? null;
    }

    public static function ofPost(int $postId): ?array
    {
        global $wpdb;
        return self::rows($wpdb->prepare('SELECT * FROM ' . self::name() . ' WHERE post_id = %d', $postId))[0] ?? null;
    }

    /**
     * Marks a listing as unfinished before it is written or removed. @return array<string, string> its row; of a new
     * row only the columns that a run reads @throws \RuntimeException when the database rejects it
     */
    public static function announce(string $gateway, string $key): array
    {
        global $wpdb;
        if ($wpdb->query($wpdb->prepare('INSERT IGNORE INTO ' . self::name() . ' (gateway, aff_id) VALUES (%s, %s)', $gateway, $key)) === 1) {
            return ['post_id' => '0', 'photos' => '', 'photos_done' => ''];
        }
        self::update($gateway, $key, ['empreinte' => '', 'gone_at' => null, 'replaced_by' => '']);
        $row = self::find($gateway, $key);
        if ($row === null) {
            throw new \RuntimeException(__('The database cannot be written.', 'passerelle'));
        }
        return $row;
    }

    /** @throws \RuntimeException when the database rejects the change */
    public static function update(string $gateway, string $key, array $values): void
    {
        global $wpdb;
        if ($wpdb->update(self::name(), $values, ['gateway' => $gateway, 'aff_id' => $key]) === false) {
            throw new \RuntimeException(__('The database cannot be written.', 'passerelle') . ' ' . $wpdb->last_error);
        }
    }

    public static function forget(string $gateway, string $key): void
    {
        global $wpdb;
        $wpdb->delete(self::name(), ['gateway' => $gateway, 'aff_id' => $key]);
    }

    public static function countLive(string $gateway): int
    {
        global $wpdb;
        return (int) $wpdb->get_var($wpdb->prepare('SELECT count(*) FROM ' . self::name() . ' WHERE gateway = %s AND gone_at IS NULL', $gateway));
    }

    /** All listings of a gateway, including removed ones. */
    public static function count(string $gateway): int
    {
        global $wpdb;
        return (int) self::rows($wpdb->prepare('SELECT count(*) AS count FROM ' . self::name() . ' WHERE gateway = %s', $gateway))[0]['count'];
    }

    /**
     * The state of a gateway's rows, in one query: listings that are not removed, those of them that are not completely
     * written, rows without a post, pages to delete, and listings with photos to fetch or delete.
     * @return array{live: int, unwritten: int, unposted: int, expired: int, due: int}
     */
    public static function counts(string $gateway): array
    {
        global $wpdb;
        $count = static fn(string $name, string $condition): string => "coalesce(sum($condition), 0) AS $name";
        $columns = [
            $count('live', 'gone_at IS NULL'), $count('unwritten', "gone_at IS NULL AND empreinte = ''"), $count('unposted', 'post_id = 0'),
            $count('expired', 'gone_at < %s'), $count('due', Photos::DUE),
        ];
        return array_map('intval', self::rows($wpdb->prepare(
            'SELECT ' . implode(', ', $columns) . ' FROM ' . self::name() . ' WHERE gateway = %s',
            RemovedListings::expireBefore(),
            gmdate('Y-m-d H:i:s'),
            $gateway
        ))[0]);
    }

    /**
     * The rows of a prepared query. @return array[] @throws \RuntimeException when the database does not answer: an
     * empty result would look like an empty site
     */
    public static function rows(string $sql, string $output = ARRAY_A): array
    {
        global $wpdb;
        $rows = $wpdb->get_results($sql, $output);
        if (!is_array($rows) || $wpdb->last_error !== '') {
            throw new \RuntimeException(__('The database cannot be read.', 'passerelle') . ' ' . $wpdb->last_error);
        }
        return $rows;
    }
}
