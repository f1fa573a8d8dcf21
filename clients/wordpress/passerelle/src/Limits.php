<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** Limits how many forms one network address, and all addresses together, may send. Stores addresses as hashes. */
final class Limits
{
    /** Limits per address in ten minutes, and for the whole site in one hour. */
    private const MOST = 5;
    private const MOST_OF_SITE = 300;

    /** Counts a form. @return bool whether it is within the limits */
    public static function take(string $form): bool
    {
        $address = (string) ($_SERVER['REMOTE_ADDR'] ?? '');
        $counts = [
            "passerelle_from_{$form}_" . substr(hash_hmac('sha256', $address, wp_salt('nonce')), 0, 24) => [self::MOST, 10 * MINUTE_IN_SECONDS],
            "passerelle_from_{$form}_all" => [self::MOST_OF_SITE, HOUR_IN_SECONDS],
        ];
        foreach ($counts as $name => [$most, $seconds]) {
            $kept = get_transient($name);
            [$count, $until] = is_array($kept) ? $kept : [0, time() + $seconds];
            if ($count >= $most && time() < $until) {
                return false;
            }
            set_transient($name, time() < $until ? [$count + 1, $until] : [1, time() + $seconds], $seconds);
        }
        return true;
    }
}
