<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** The site owner's settings, and the stored state of each gateway. */
final class Settings
{
    public const OPTION = 'passerelle';
    public const PHOTOS = ['auto', 'link', 'first', 'import'];
    public const GONE = ['draft', 'keep'];
    public const ENQUIRIES = ['email', 'gateway', 'both'];
    public const ALERTS = ['yes', 'no'];

    /**
     * @param bool $isFresh whether to read the database instead of caches: another process may have changed the
     * settings
     * @return array{gateways: array<string, array>, photos: string, gone: string, target: string, enquiries: string,
     * enquiries_to: string, enquiries_hook: string, enquiries_reply: string, alerts: string, tiles: string, tiles_credit: string}
     */
    public static function all(bool $isFresh = false): array
    {
        $saved = $isFresh ? self::fresh(self::OPTION) : get_option(self::OPTION);
        return (is_array($saved) ? $saved : []) + [
            'gateways' => [], 'photos' => 'auto', 'gone' => 'draft', 'target' => 'own', 'enquiries' => 'email', 'enquiries_to' => '', 'enquiries_hook' => '', 'enquiries_reply' => '', 'alerts' => 'yes', 'tiles' => '',
            'tiles_credit' => '© OpenStreetMap',
        ];
    }

    public static function save(array $settings): void
    {
        update_option(self::OPTION, $settings, false);
    }

    /** The name of a gateway in the table: `crm/client`. */
    public static function nameOf(string $crm, string $client): string
    {
        return "$crm/$client";
    }

    /** Encrypts a key with the secrets of wp-config.php, so that a copy of the database does not reveal the key. */
    public static function seal(string $key): string
    {
        $nonce = random_bytes(SODIUM_CRYPTO_SECRETBOX_NONCEBYTES);
        return base64_encode($nonce . sodium_crypto_secretbox($key, $nonce, self::secret()));
    }

    /** Null when the secrets of wp-config.php have changed: the key must be entered again. */
    public static function unseal(string $sealed): ?string
    {
        $bytes = (string) base64_decode($sealed, true);
        if (strlen($bytes) <= SODIUM_CRYPTO_SECRETBOX_NONCEBYTES) {
            return null;
        }
        $nonce = substr($bytes, 0, SODIUM_CRYPTO_SECRETBOX_NONCEBYTES);
        $key = sodium_crypto_secretbox_open(substr($bytes, SODIUM_CRYPTO_SECRETBOX_NONCEBYTES), $nonce, self::secret());
        return $key === false ? null : $key;
    }

    /**
     * @param bool $isFresh whether to read the database instead of caches
     * @return array{etag: string, snapshot: string, total: int, since: string, retry_at: int, unreported: ?array, held:
     * ?array, approved: string, last: ?array, waiting: int}
     */
    public static function state(string $gateway, bool $isFresh = false): array
    {
        $saved = $isFresh ? self::fresh(self::stateName($gateway)) : get_option(self::stateName($gateway));
        return (is_array($saved) ? $saved : []) + [
            'etag' => '', 'snapshot' => '', 'total' => 0, 'since' => '', 'retry_at' => 0, 'unreported' => null, 'held' => null, 'approved' => '', 'last' => null, 'waiting' => 0,
        ];
    }

    public static function saveState(string $gateway, array $state): void
    {
        update_option(self::stateName($gateway), $state, false);
    }

    public static function forgetState(string $gateway): void
    {
        delete_option(self::stateName($gateway));
    }

    /** Makes the next slice compare all listings. Call after a change of settings or the deletion of a page. */
    public static function compareAnew(string $gateway): void
    {
        $state = self::state($gateway);
        if ($state['etag'] !== '' || $state['retry_at'] !== 0) {
            self::saveState($gateway, ['etag' => '', 'retry_at' => 0] + $state);
        }
    }

    /**
     * A client for a gateway, with a time limit in seconds for all its calls together. @throws \Passerelle\AskOperator
     */
    public static function client(array $gateway, float $seconds): \Passerelle\Client
    {
        $key = self::unseal($gateway['key']);
        if ($key === null) {
            throw new \Passerelle\AskOperator(__('The key can no longer be read, because the secrets of wp-config.php have changed. Enter it again.', 'passerelle'), Sentences::TOLD);
        }
        $agent = 'Passerelle-WordPress/' . VERSION . '; ' . home_url('/');
        return new \Passerelle\Client($gateway['base'], $gateway['crm'], $gateway['client'], $key, $agent, $seconds);
    }

    /** An option, read from the database without caches. @return mixed */
    public static function fresh(string $option)
    {
        global $wpdb;
        return maybe_unserialize(Table::rows($wpdb->prepare("SELECT option_value FROM $wpdb->options WHERE option_name = %s", $option))[0]['option_value'] ?? '');
    }

    private static function stateName(string $gateway): string
    {
        return 'passerelle_state_' . md5($gateway);
    }

    private static function secret(): string
    {
        return hash('sha256', wp_salt('auth') . 'passerelle', true);
    }
}
