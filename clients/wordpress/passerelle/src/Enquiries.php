<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

use Passerelle\Failure;

/**
 * Stores each visitor's enquiry before sending it through up to three channels: e-mail, the gateway for the CRM, and
 * the owner's webhook. Retries each channel until it succeeds. The owner may also let the site answer the visitor.
 */
final class Enquiries
{
    public const HOOK = 'passerelle_enquiries';
    /** How many days a copy is kept after delivery. */
    public const DAYS = 90;
    private const AT_ONCE = 50;
    /**
     * After this time without a reachable gateway, the agency gets an e-mail even if the owner chose only the gateway.
     */
    private const PATIENCE = HOUR_IN_SECONDS;

    public static function register(): void
    {
        Schedule::often(self::HOOK, [self::class, 'deliver']);
    }

    public static function name(): string
    {
        return Table::name() . '_enquiries';
    }

    /** @return bool whether the table exists */
    public static function prepare(): bool
    {
        global $wpdb;
        $isMade = Table::create(self::name(), "
            id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
            token char(36) NOT NULL UNIQUE,
            received_at datetime NOT NULL,
            gateway varbinary(200) NOT NULL DEFAULT '',
            aff_id varbinary(255) NOT NULL DEFAULT '',
            post_id bigint unsigned NOT NULL DEFAULT 0,
            name varchar(200) NOT NULL,
            email varchar(254) NOT NULL DEFAULT '',
            phone varchar(40) NOT NULL DEFAULT '',
            message text NOT NULL,
            langue varchar(2) NOT NULL DEFAULT '',
            mailed_at datetime NULL,
            passed_at datetime NULL,
            hooked_at datetime NULL,
            answered_at datetime NULL,
            done_at datetime NULL,
            tries int unsigned NOT NULL DEFAULT 0,
            next_try datetime NULL,
            failure text NULL,
            KEY done_at (done_at),
            KEY email (email(100))
        ");
        $has = static fn(): bool => $wpdb->get_results('SHOW COLUMNS FROM ' . self::name() . " LIKE 'answered_at'") !== [];
        return $isMade && ($has() || $wpdb->query('ALTER TABLE ' . self::name() . ' ADD COLUMN answered_at datetime NULL AFTER hooked_at') !== false);
    }

    /**
     * Stores an enquiry. Ignores a repetition within ten minutes, because visitors press a button twice.
     * @param array{name: string, email: string, phone: string, message: string} $written
     * @return bool whether it is stored
     */
    public static function add(int $postId, array $written): bool
    {
        global $wpdb;
        $row = $postId === 0 ? null : Table::ofPost((int) (wp_get_post_parent_id($postId) ?: $postId));
        $hash = hash('sha256', wp_json_encode([$postId, $written, intdiv(time(), 600)]));
        $token = sprintf('%s-%s-4%s-8%s-%s', substr($hash, 0, 8), substr($hash, 8, 4), substr($hash, 12, 3), substr($hash, 15, 3), substr($hash, 18, 12));
        return $wpdb->query($wpdb->prepare(
            'INSERT IGNORE INTO ' . self::name() . ' (token, received_at, gateway, aff_id, post_id, name, email, phone, message, langue) VALUES (%s, %s, %s, %s, %d, %s, %s, %s, %s, %s)',
            $token,
            current_time('mysql', true),
            $row['gateway'] ?? '',
            $row['aff_id'] ?? '',
            $postId,
            $written['name'],
            $written['email'],
            $written['phone'],
            $written['message'],
            substr(determine_locale(), 0, 2)
        )) !== false;
    }

    /** Sends pending enquiries, the oldest first, and deletes copies after their retention time. */
    public static function deliver(float $seconds = 20): void
    {
        global $wpdb;
        $deadline = microtime(true) + $seconds;
        Lock::alone('enquiries', static function () use ($wpdb, $deadline): void {
            $waiting = 'SELECT * FROM ' . self::name() . ' WHERE done_at IS NULL AND (next_try IS NULL OR next_try <= UTC_TIMESTAMP()) ORDER BY id LIMIT ' . self::AT_ONCE;
            do {
                $rows = Table::rows($waiting);
                foreach ($rows as $row) {
                    if (microtime(true) > $deadline) {
                        return;
                    }
                    self::send($row);
                }
            } while (count($rows) === self::AT_ONCE);
            $wpdb->query($wpdb->prepare('DELETE FROM ' . self::name() . ' WHERE done_at < UTC_TIMESTAMP() - INTERVAL %d DAY', self::DAYS));
        });
    }

    private static function send(array $row): void
    {
        global $wpdb;
        $settings = Settings::all();
        $ways = self::ways($row, $settings);
        $failures = [];
        foreach ($ways as $way => $deed) {
            if ($row["{$way}_at"] !== null) {
                continue;
            }
            $failure = self::$deed($row, $settings);
            if ($failure === '') {
                // Saved now, so that a run killed during the next channel does not repeat this channel.
                $wpdb->update(self::name(), ["{$way}_at" => current_time('mysql', true)], ['id' => $row['id']]);
            } else {
                $failures[] = $failure;
            }
        }
        $tries = (int) $row['tries'] + 1;
        $wpdb->update(self::name(), $failures === []
            ? ['done_at' => current_time('mysql', true), 'failure' => null, 'tries' => $tries]
            : ['failure' => implode(' ', $failures), 'tries' => $tries, 'next_try' => Schedule::nextTry($tries, HOUR_IN_SECONDS)], ['id' => $row['id']]);
    }

    /** @return array<string, string> per channel, its column and the method that sends */
    private static function ways(array $row, array $settings): array
    {
        $hasGateway = isset($settings['gateways'][$row['gateway']]);
        $isLate = strtotime($row['received_at'] . ' UTC') < time() - self::PATIENCE;
        $byMail = $settings['enquiries'] !== 'gateway' || !$hasGateway || ($isLate && $row['passed_at'] === null);
        return array_filter([
            'mailed' => $byMail ? 'mail' : '', 'passed' => $settings['enquiries'] !== 'email' && $hasGateway ? 'pass' : '',
            'hooked' => $settings['enquiries_hook'] !== '' ? 'hook' : '', 'answered' => $settings['enquiries_reply'] !== '' && $row['email'] !== '' ? 'answer' : '',
        ]);
    }

    /**
     * The recipient of an enquiry: the negotiator, otherwise the address in the settings, otherwise the site's
     * administrator.
     */
    public static function recipient(array $listing, array $settings): string
    {
        foreach ([$listing['negoEmail'] ?? '', $settings['enquiries_to'], get_option('admin_email')] as $address) {
            if (is_email($address)) {
                return $address;
            }
        }
        return '';
    }

    /** @return string the reason for failure; empty on success */
    private static function mail(array $row, array $settings): string
    {
        $listing = PostType::listing((int) $row['post_id']);
        $title = $listing === [] ? get_the_title((int) $row['post_id']) : Words::title($listing);
        $lines = array_filter([
            __('Reference', 'passerelle') => $listing['affNum'] ?? $row['aff_id'], __('Property', 'passerelle') => $title,
            __('Name', 'passerelle') => $row['name'], __('E-mail', 'passerelle') => $row['email'], __('Telephone', 'passerelle') => $row['phone'],
            __('Page', 'passerelle') => (string) get_permalink((int) $row['post_id']),
        ]);
        $text = implode("\n", array_map(static fn(string $label, string $value): string => "$label: $value", array_keys($lines), $lines)) . "\n\n" . $row['message'] . "\n";
        /* translators: %s: title of a listing */
        $subject = sprintf(__('Enquiry: %s', 'passerelle'), trim(($listing['affNum'] ?? '') . ' ' . $title));
        $headers = $row['email'] === '' ? [] : ['Reply-To: ' . $row['email']];
        return Mail::send(self::recipient($listing, $settings), wp_specialchars_decode($subject, ENT_QUOTES), $text, $headers, $row['token']) ? '' : __('The e-mail could not be sent.', 'passerelle');
    }

    /** The owner's words to the visitor. Nothing that the visitor wrote is in it, because anyone can enter any address. */
    private static function answer(array $row, array $settings): string
    {
        $listing = PostType::listing((int) $row['post_id']);
        $title = $listing === [] ? get_the_title((int) $row['post_id']) : Words::title($listing);
        /* translators: %s: title of a listing */
        $subject = wp_specialchars_decode(sprintf(__('Your enquiry: %s', 'passerelle'), $title), ENT_QUOTES);
        $text = $settings['enquiries_reply'] . "\n\n$title\n" . get_permalink((int) $row['post_id']) . "\n\n" . wp_specialchars_decode(get_bloginfo('name'), ENT_QUOTES) . "\n";
        $headers = ['Auto-Submitted: auto-replied', 'Reply-To: ' . self::recipient($listing, ['enquiries_to' => $settings['enquiries_to']])];
        return Mail::send($row['email'], $subject, $text, $headers, "answer-{$row['token']}") ? '' : __('The e-mail could not be sent.', 'passerelle');
    }

    private static function pass(array $row, array $settings): string
    {
        try {
            Settings::client($settings['gateways'][$row['gateway']], 10)->lead(self::plain($row) + ['consent' => true]);
            return '';
        } catch (Failure $failure) {
            return Sentences::failure($failure);
        }
    }

    private static function hook(array $row, array $settings): string
    {
        $answer = wp_safe_remote_post($settings['enquiries_hook'], [
            'timeout' => 10, 'redirection' => 0, 'headers' => ['Content-Type' => 'application/json'],
            'body' => wp_json_encode(self::plain($row) + ['received_at' => gmdate('c', strtotime($row['received_at'] . ' UTC'))]),
        ]);
        $status = (int) wp_remote_retrieve_response_code($answer);
        /* translators: %s: a number, or a reason */
        return $status >= 200 && $status < 300 ? '' : sprintf(__('The webhook does not accept it (%s).', 'passerelle'), is_wp_error($answer) ? $answer->get_error_code() : (string) $status);
    }

    /** The enquiry in the form for the gateway and the owner's webhook. */
    private static function plain(array $row): array
    {
        return array_filter([
            'id' => $row['token'], 'affId' => strncmp($row['aff_id'], 'sha256:', 7) === 0 ? '' : $row['aff_id'], 'name' => $row['name'], 'email' => $row['email'],
            'phone' => $row['phone'], 'message' => $row['message'], 'page_url' => (string) get_permalink((int) $row['post_id']), 'langue' => $row['langue'],
        ]);
    }
}
