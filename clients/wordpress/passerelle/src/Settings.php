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
     * enquiries_to: string, enquiries_hook: string, enquiries_reply: string, alerts: string, tiles: string, tiles_credit: string,
     * mortgage_rate: string, mortgage_years: string}
     */
    public static function all(bool $isFresh = false): array
    {
        return self::complete($isFresh ? self::fresh([self::OPTION])[self::OPTION] : get_option(self::OPTION));
    }

    /** @param mixed $saved */
    public static function complete($saved): array
    {
        return (is_array($saved) ? $saved : []) + [
            'gateways' => [], 'photos' => 'auto', 'gone' => 'draft', 'target' => 'own', 'enquiries' => 'email', 'enquiries_to' => '', 'enquiries_hook' => '', 'enquiries_reply' => '', 'alerts' => 'yes', 'tiles' => '',
            'tiles_credit' => '© OpenStreetMap', 'mortgage_rate' => '', 'mortgage_years' => '',
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
        $name = self::stateName($gateway);
        return self::completeState($isFresh ? self::fresh([$name])[$name] : get_option($name));
    }

    /** The settings and the state of a gateway, read from the database in one query. @return array{0: array, 1: array} */
    public static function withState(string $gateway): array
    {
        $name = self::stateName($gateway);
        $fresh = self::fresh([self::OPTION, $name]);
        return [self::complete($fresh[self::OPTION]), self::completeState($fresh[$name])];
    }

    /** @param mixed $saved */
    private static function completeState($saved): array
    {
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

    /**
     * Options, read from the database without caches; '' for an option that does not exist.
     * @param string[] $options @return array<string, mixed>
     */
    public static function fresh(array $options): array
    {
        global $wpdb;
        $places = implode(', ', array_fill(0, count($options), '%s'));
        $rows = Table::rows($wpdb->prepare("SELECT option_name, option_value FROM $wpdb->options WHERE option_name IN ($places)", $options));
        return array_map('maybe_unserialize', array_column($rows, 'option_value', 'option_name')) + array_fill_keys($options, '');
    }

    /** The settings, read from the database; null if this process has lost the lock. One query, because it runs before each listing. */
    public static function whileLocked(): ?array
    {
        global $wpdb;
        $row = Table::rows($wpdb->prepare(
            "SELECT option_value, IS_USED_LOCK(%s) = CONNECTION_ID() AS is_held FROM $wpdb->options WHERE option_name = %s",
            Lock::name(),
            self::OPTION
        ))[0] ?? ['is_held' => '0'];
        return $row['is_held'] === '1' ? self::complete(maybe_unserialize($row['option_value'])) : null;
    }

    /**
     * Reads in one query the options that this plugin and WordPress would read one by one for each page. A site with an
     * object cache has them in memory.
     */
    public static function prime(): void
    {
        if (is_admin() || wp_doing_cron() || wp_using_ext_object_cache()) {
            return;
        }
        $styles = ['global_styles_' . get_stylesheet(), 'global_styles_svg_filters_' . get_stylesheet()];
        $names = [self::OPTION, 'can_compress_scripts', 'site_logo', 'medium_crop', 'medium_large_crop', 'large_crop'];
        foreach ($styles as $style) {
            array_push($names, "_transient_$style", "_transient_timeout_$style");
        }
        global $wpdb;
        $names = array_values(array_diff($names, array_keys(wp_load_alloptions())));
        $places = implode(', ', array_fill(0, count($names), '%s'));
        $found = array_column((array) $wpdb->get_results($wpdb->prepare("SELECT option_name, option_value FROM $wpdb->options WHERE option_name IN ($places)", $names), ARRAY_A), 'option_value', 'option_name');
        foreach ($wpdb->last_error === '' ? $found : [] as $name => $value) {
            wp_cache_add($name, $value, 'options');
        }
        $missing = $wpdb->last_error === '' ? array_fill_keys(array_diff($names, array_keys($found)), true) : [];
        wp_cache_set('notoptions', $missing + ((array) wp_cache_get('notoptions', 'options') ?: []), 'options');
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
