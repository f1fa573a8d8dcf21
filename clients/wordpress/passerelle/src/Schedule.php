<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** Runs slices with WP-Cron: every quarter of an hour, and immediately again while work remains. */
final class Schedule
{
    private const HOOK = 'passerelle_slice';

    public static function register(): void
    {
        add_filter('cron_schedules', static fn(array $schedules): array => $schedules + [
            'passerelle' => ['interval' => 15 * MINUTE_IN_SECONDS, 'display' => __('Every 15 minutes', 'passerelle')],
        ]);
        self::often(self::HOOK, [self::class, 'slice']);
        add_action(self::HOOK . '_more', [self::class, 'slice']);
    }

    /** Runs a task every quarter of an hour. */
    public static function often(string $hook, callable $deed): void
    {
        add_action($hook, $deed);
        add_action('init', static function () use ($hook): void {
            if (wp_next_scheduled($hook) === false) {
                wp_schedule_event(time() + MINUTE_IN_SECONDS, 'passerelle', $hook);
            }
        });
    }

    /** When to try again after this many attempts, in UTC: after one minute, then after twice as long each time. */
    public static function nextTry(int $tries, int $mostSeconds): string
    {
        return gmdate('Y-m-d H:i:s', time() + min($mostSeconds, MINUTE_IN_SECONDS * 2 ** min(max(0, $tries - 1), 12)));
    }

    public static function activate(): void
    {
        Table::prepare();
        PostType::define();
        flush_rewrite_rules();
        Webhook::keepAll(true);
    }

    public static function deactivate(): void
    {
        wp_clear_scheduled_hook(self::HOOK);
        wp_clear_scheduled_hook(self::HOOK . '_more');
        wp_clear_scheduled_hook(Enquiries::HOOK);
        wp_clear_scheduled_hook(Alerts::HOOK);
        Webhook::removeAll();
        flush_rewrite_rules();
    }

    public static function slice(): void
    {
        self::goOnAfter(Sync::slice(self::seconds()));
        Webhook::keepAll();
    }

    /** WP-Cron runs within a visitor's request, which may have less time than a slice would use. */
    public static function seconds(): float
    {
        $limit = (int) ini_get('max_execution_time');
        return $limit > 0 ? min(Sync::SECONDS, max(5, 0.6 * $limit)) : Sync::SECONDS;
    }

    /** Schedules the next slice if work remains. @param array<string, array> $slices as `Sync::slice` returns them */
    public static function goOnAfter(array $slices): void
    {
        if (array_intersect(['more', 'waiting'], array_column($slices, 'state')) !== [] && wp_next_scheduled(self::HOOK . '_more') === false) {
            wp_schedule_single_event(time(), self::HOOK . '_more');
        }
    }
}
