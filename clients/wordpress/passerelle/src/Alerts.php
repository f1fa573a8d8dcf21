<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/**
 * Searches that visitors have saved. The owner of the e-mail address must confirm each search first. Then at most one
 * e-mail a day lists new properties, and each e-mail has a link that ends the search.
 */
final class Alerts
{
    public const HOOK = 'passerelle_alerts';
    /** Unconfirmed searches are deleted after this many days. */
    private const UNCONFIRMED_DAYS = 7;
    private const EVERY = 23 * HOUR_IN_SECONDS;
    private const SHOWN = 10;
    /** Limits for all searches and for unconfirmed searches of an e-mail address. They prevent a flood of e-mails. */
    private const MOST_OF_ADDRESS = 10;
    private const MOST_UNCONFIRMED = 3;
    private const AT_ONCE = 50;

    public static function register(): void
    {
        Schedule::often(self::HOOK, [self::class, 'deliver']);
    }

    public static function name(): string
    {
        return Table::name() . '_searches';
    }

    /** @return bool whether the table exists */
    public static function prepare(): bool
    {
        return Table::create(self::name(), "
            id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
            secret char(32) NOT NULL,
            email varchar(254) NOT NULL,
            filters text NOT NULL,
            locale varchar(20) NOT NULL,
            asked_at datetime NOT NULL,
            told_at datetime NULL,
            confirmed_at datetime NULL,
            last_post bigint unsigned NOT NULL DEFAULT 0,
            tries int unsigned NOT NULL DEFAULT 0,
            next_try datetime NULL,
            KEY email (email(100))
        ");
    }

    /** The filters that a search keeps: all except order and favourites. @return array<string, string|int> */
    public static function wanted(array $filters): array
    {
        $wanted = array_filter(array_diff_key($filters, ['tri' => 1, 'favoris' => 1]), static fn($value): bool => $value !== null);
        // Keeps the currency that the visitor sees today, even if the site later has another currency.
        $isPriced = isset($wanted['prix_min']) || isset($wanted['prix_max']);
        return $wanted + ($isPriced && Search::hasSeveralCurrencies() ? ['devise' => Search::currency($wanted)] : []);
    }

    /**
     * Saves an unconfirmed search. Ignores a repeated search, and searches above the limit of an address. The visitor
     * always gets the same answer, so that it does not reveal stored addresses.
     * @return bool false when the database failed
     */
    public static function add(string $email, array $filters): bool
    {
        global $wpdb;
        $wanted = (string) wp_json_encode(self::wanted($filters));
        $known = Table::rows($wpdb->prepare('SELECT filters, confirmed_at FROM ' . self::name() . ' WHERE email = %s', $email));
        $unconfirmed = array_filter($known, static fn(array $row): bool => $row['confirmed_at'] === null);
        if (count($known) >= self::MOST_OF_ADDRESS || count($unconfirmed) >= self::MOST_UNCONFIRMED || in_array($wanted, array_column($known, 'filters'), true)) {
            return true;
        }
        return $wpdb->insert(self::name(), [
            'secret' => bin2hex(random_bytes(16)), 'email' => $email, 'filters' => $wanted, 'locale' => determine_locale(), 'asked_at' => current_time('mysql', true),
        ]) !== false;
    }

    public static function isThere(int $id): bool
    {
        global $wpdb;
        return Table::rows($wpdb->prepare('SELECT 1 FROM ' . self::name() . ' WHERE id = %d', $id)) !== [];
    }

    /** Null unless the secret belongs to the search. */
    public static function find(int $id, string $secret): ?array
    {
        global $wpdb;
        $row = Table::rows($wpdb->prepare('SELECT * FROM ' . self::name() . ' WHERE id = %d', $id))[0] ?? null;
        return $row !== null && hash_equals($row['secret'], $secret) ? $row : null;
    }

    /** Reports listings that are added from now on, but no existing listings. */
    public static function confirm(array $row): void
    {
        global $wpdb;
        if ($row['confirmed_at'] === null) {
            $newest = Table::rows('SELECT coalesce(max(post_id), 0) AS newest FROM ' . Table::name())[0]['newest'];
            $wpdb->update(self::name(), ['confirmed_at' => current_time('mysql', true), 'told_at' => null, 'last_post' => $newest], ['id' => $row['id']]);
        }
    }

    public static function remove(array $row): void
    {
        global $wpdb;
        $wpdb->delete(self::name(), ['id' => $row['id']]);
    }

    /** Sends requests for confirmation and e-mails about new listings. */
    public static function deliver(float $seconds = 20): void
    {
        global $wpdb;
        $deadline = microtime(true) + $seconds;
        if (Settings::all()['alerts'] !== 'yes') {
            return;
        }
        Lock::alone('searches', static function () use ($wpdb, $deadline): void {
            $wpdb->query($wpdb->prepare('DELETE FROM ' . self::name() . ' WHERE confirmed_at IS NULL AND asked_at < UTC_TIMESTAMP() - INTERVAL %d DAY', self::UNCONFIRMED_DAYS));
            $done = [];
            do {
                $rows = Table::rows($wpdb->prepare(
                    'SELECT * FROM ' . self::name() . ' WHERE (next_try IS NULL OR next_try <= UTC_TIMESTAMP())
                     AND (told_at IS NULL OR (confirmed_at IS NOT NULL AND told_at <= UTC_TIMESTAMP() - INTERVAL %d SECOND)) ORDER BY next_try, id LIMIT %d',
                    self::EVERY,
                    self::AT_ONCE
                ));
                foreach ($rows as $row) {
                    // Stops at a row whose update failed, because it would be sent again and again.
                    if (microtime(true) > $deadline || isset($done[$row['id']])) {
                        return;
                    }
                    $done[$row['id']] = true;
                    $row['confirmed_at'] === null ? self::ask($row) : self::tell($row);
                }
            } while (count($rows) === self::AT_ONCE);
        });
    }

    private static function ask(array $row): void
    {
        self::inLanguageOf($row, static function () use ($row): void {
            $text = __('You, or a person using your address, asked for new listings by e-mail:', 'passerelle') . "\n\n" . self::words($row) . "\n\n"
                . __('Confirm it here:', 'passerelle') . "\n" . self::address($row, 'confirm') . "\n\n"
                . __('Do nothing if it was not you: your address is deleted within a week.', 'passerelle') . "\n";
            /* translators: %s: name of the site */
            self::note($row, self::send($row, sprintf(__('Please confirm: new listings of %s', 'passerelle'), self::site()), $text), []);
        });
    }

    private static function tell(array $row): void
    {
        global $wpdb;
        $where = $wpdb->prepare("psr.gone_at IS NULL AND psr.post_id > %d AND p.post_status = 'publish'", (int) $row['last_post']);
        $where .= Search::where((array) json_decode($row['filters'], true));
        $new = array_map('intval', array_column(Table::rows('SELECT psr.post_id FROM ' . Table::name() . " psr JOIN $wpdb->posts p ON p.ID = psr.post_id WHERE $where ORDER BY psr.post_id DESC"), 'post_id'));
        if ($new === []) {
            // Lets other searches go first next time.
            $wpdb->update(self::name(), ['next_try' => gmdate('Y-m-d H:i:s', time() + HOUR_IN_SECONDS)], ['id' => $row['id']]);
            return;
        }
        self::inLanguageOf($row, static function () use ($row, $new): void {
            $text = self::words($row) . "\n";
            foreach (array_slice($new, 0, self::SHOWN) as $postId) {
                $listing = PostType::listing($postId);
                $facts = array_filter(array_merge([Words::price($listing), Words::place($listing)], Words::sizes($listing)));
                $text .= "\n" . Words::title($listing) . "\n" . str_replace("\u{a0}", ' ', implode(' · ', $facts)) . "\n" . get_permalink($postId) . "\n";
            }
            if (count($new) > self::SHOWN) {
                $list = add_query_arg(array_map('rawurlencode', array_map('strval', (array) json_decode($row['filters'], true))), (string) get_post_type_archive_link(PostType::NAME));
                /* translators: %s: number of listings */
                $text .= "\n" . sprintf(_n('And %s more:', 'And %s more:', count($new) - self::SHOWN, 'passerelle'), Numbers::format(count($new) - self::SHOWN)) . " $list\n";
            }
            $text .= "\n-- \n" . __('No more e-mails about this search:', 'passerelle') . "\n" . self::address($row, 'end') . "\n";
            /* translators: 1: number of listings, 2: name of the site */
            $subject = sprintf(_n('%1$s new listing of %2$s', '%1$s new listings of %2$s', count($new), 'passerelle'), Numbers::format(count($new)), self::site());
            self::note($row, self::send($row, $subject, $text), ['last_post' => $new[0]]);
        });
    }

    private static function note(array $row, bool $isSent, array $changed): void
    {
        global $wpdb;
        $tries = (int) $row['tries'] + 1;
        $wpdb->update(self::name(), $isSent
            ? ['told_at' => current_time('mysql', true), 'tries' => 0, 'next_try' => null] + $changed
            : ['tries' => $tries, 'next_try' => Schedule::nextTry($tries, 6 * HOUR_IN_SECONDS)], ['id' => $row['id']]);
    }

    private static function send(array $row, string $subject, string $text): bool
    {
        // RFC 8058: mail programs end the search with one POST to this address.
        $headers = ['List-Unsubscribe: <' . self::address($row, 'end') . '>', 'List-Unsubscribe-Post: List-Unsubscribe=One-Click', 'Auto-Submitted: auto-generated'];
        return Mail::send($row['email'], $subject, $text, $headers);
    }

    /** The search, in words. */
    public static function words(array $row): string
    {
        $wanted = (array) json_decode($row['filters'], true);
        $money = static fn(string $name): string => isset($wanted[$name]) ? Numbers::money((float) $wanted[$name], Search::currency($wanted)) : '';
        $words = array_filter([
            Words::offers()[$wanted['offre'] ?? ''] ?? '', Words::kinds()[$wanted['bien'] ?? ''] ?? '',
            isset($wanted['prix_min']) ? __('Price from', 'passerelle') . ' ' . $money('prix_min') : '', isset($wanted['prix_max']) ? __('Price to', 'passerelle') . ' ' . $money('prix_max') : '',
            isset($wanted['surface_min']) ? __('Area from (m²)', 'passerelle') . ' ' . Numbers::format((float) $wanted['surface_min']) : '',
            ...array_map(static fn(string $name, $value): string => Search::words($name, (string) $value) ?? '', array_keys($wanted), array_values($wanted)),
        ]);
        return str_replace("\u{a0}", ' ', $words === [] ? __('All properties', 'passerelle') : implode(' · ', $words));
    }

    private static function address(array $row, string $deed): string
    {
        return add_query_arg(['passerelle_search' => $row['id'], 'deed' => $deed, 'secret' => $row['secret']], home_url('/'));
    }

    private static function site(): string
    {
        return wp_specialchars_decode(get_bloginfo('name'), ENT_QUOTES);
    }

    private static function inLanguageOf(array $row, callable $deed): void
    {
        $isOther = switch_to_locale($row['locale']);
        try {
            $deed();
        } finally {
            if ($isOther) {
                restore_previous_locale();
            }
        }
    }
}
