<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/**
 * Allows one run at a time. The database gives the lock to one connection and releases it when the connection ends for
 * any reason.
 */
final class Lock
{
    /**
     * Runs a task that must not run twice at the same time. Does nothing if another process is still running it after
     * `$patience` seconds.
     */
    public static function alone(string $what, callable $deed, int $patience = 0): void
    {
        global $wpdb;
        $name = "passerelle_{$what}_" . md5(DB_NAME . '/' . $wpdb->prefix);
        if ($wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, %d)', $name, $patience)) !== '1') {
            return;
        }
        try {
            $deed();
        } finally {
            $wpdb->get_var($wpdb->prepare('SELECT RELEASE_LOCK(%s)', $name));
        }
    }

    /** @param int $patience how many seconds to wait for the lock */
    public static function take(int $patience = 0): bool
    {
        global $wpdb;
        return $wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, %d)', self::name(), $patience)) === '1';
    }

    /** Whether this process still has the lock. It loses the lock when WordPress silently reconnects. */
    public static function isHeld(): bool
    {
        global $wpdb;
        return $wpdb->get_var($wpdb->prepare('SELECT IS_USED_LOCK(%s) = CONNECTION_ID()', self::name())) === '1';
    }

    /** Whether any process has the lock. */
    public static function isTaken(): bool
    {
        global $wpdb;
        return $wpdb->get_var($wpdb->prepare('SELECT IS_FREE_LOCK(%s)', self::name())) === '0';
    }

    public static function release(): void
    {
        global $wpdb;
        $wpdb->get_var($wpdb->prepare('SELECT RELEASE_LOCK(%s)', self::name()));
    }

    /** Lock names are shared by the whole database server. */
    public static function name(): string
    {
        global $wpdb;
        return 'passerelle_' . md5(DB_NAME . '/' . $wpdb->prefix);
    }
}
