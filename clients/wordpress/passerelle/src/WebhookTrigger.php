<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

use function Passerelle\verifyWebhook;

/**
 * Starts a slice as soon as a gateway announces a new list, without the site's cron. A message sets a mark, and the
 * next slice to start removes it: many messages cause one slice, and a message during a slice causes another one.
 */
final class WebhookTrigger
{
    private const SPACE = 'passerelle/v1';
    public const MARK = 'passerelle_wake';
    private const SEEN = 'passerelle_message_';
    private const WANTED = 'passerelle_wanted_';
    private const MOST_BYTES = 8192;
    /** The site's request to itself counts as lost if it has not started after this many seconds. */
    private const LOST_SECONDS = 5;

    public static function register(): void
    {
        add_action('rest_api_init', static function (): void {
            // Open routes are safe: the signature identifies the gateway, and a slice without a message does nothing.
            $open = ['methods' => 'POST', 'permission_callback' => '__return_true'];
            register_rest_route(self::SPACE, '/webhook/(?P<gateway>[0-9a-f]{32})', $open + ['callback' => [self::class, 'hear']]);
            register_rest_route(self::SPACE, '/slice', $open + ['callback' => [self::class, 'answer']]);
        });
    }

    /** The address of a route, independent of permalinks and language. */
    public static function address(string $route): string
    {
        return untrailingslashit(get_option('home')) . '/?rest_route=/' . self::SPACE . "/$route";
    }

    /** A message of a gateway. */
    public static function hear(\WP_REST_Request $request): \WP_REST_Response
    {
        $names = [];
        foreach (array_keys(Settings::all()['gateways']) as $name) {
            $names[Webhook::mark((string) $name)] = (string) $name;
        }
        $name = $names[$request['gateway']] ?? null;
        if ($name === null) {
            // The gateway was removed on this site: 410 ends its webhook.
            return new \WP_REST_Response(null, 410);
        }
        $headers = [];
        foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $header) {
            $headers[$header] = (string) $request->get_header($header);
        }
        $body = $request->get_body();
        $message = strlen($body) > self::MOST_BYTES ? null : verifyWebhook($body, $headers, Webhook::secret($name));
        if ($message === null) {
            return new \WP_REST_Response(null, 401);
        }
        if (self::isNew($name . $headers['webhook-id'])) {
            Webhook::noteHeard($name);
            if (($message['type'] ?? '') === 'list.published') {
                update_option(self::WANTED . md5($name), (string) ($message['data']['snapshot'] ?? ''), false);
                self::ask();
            }
        }
        return new \WP_REST_Response(null, 200);
    }

    /** Handles the request that this site sends to itself. A request from another client finds no work. */
    public static function answer(): \WP_REST_Response
    {
        if (self::isAsked()) {
            self::start([self::class, 'work']);
        }
        return new \WP_REST_Response(null, 202);
    }

    /** Removes the mark. A slice does this before it requests the list. */
    public static function taken(): void
    {
        global $wpdb;
        $wpdb->query($wpdb->prepare("DELETE FROM $wpdb->options WHERE option_name = %s", self::MARK));
    }

    /** Starts another slice if a message arrived during this slice, which may have read the previous list. */
    public static function goOn(): void
    {
        if (self::isAsked()) {
            self::callOurselves();
        }
    }

    /** Runs one slice for all messages. */
    public static function work(): void
    {
        $slices = Sync::slice(Schedule::seconds());
        if (self::isBehind($slices)) {
            // The message arrived before the API process that answered knew the new list.
            sleep(2);
            $slices = Sync::slice(Schedule::seconds());
        }
        Schedule::goOnAfter($slices);
        foreach ($slices as $slice) {
            // A slice without progress waits for the cron.
            if ($slice['state'] === 'more' && array_sum(array_intersect_key($slice, ['added' => 1, 'updated' => 1, 'removed' => 1, 'photos' => 1])) > 0) {
                self::ask();
                return;
            }
        }
    }

    /**
     * Whether a gateway announced a list and then answered that there is nothing new. Each announcement is checked
     * once.
     */
    private static function isBehind(array $slices): bool
    {
        $isBehind = false;
        foreach ($slices as $name => $slice) {
            $wanted = (string) get_option(self::WANTED . md5((string) $name));
            if ($wanted !== '' && in_array($slice['state'], ['done', 'more', 'held', 'failed'], true)) {
                delete_option(self::WANTED . md5((string) $name));
                $isBehind = $isBehind || ($slice['state'] === 'done' && Settings::state((string) $name, true)['snapshot'] !== $wanted);
            }
        }
        return $isBehind;
    }

    private static function ask(): void
    {
        global $wpdb;
        $isFirst = self::insert(self::MARK);
        $late = $wpdb->prepare("UPDATE $wpdb->options SET option_value = %s WHERE option_name = %s AND option_value + 0 < %d", (string) time(), self::MARK, time() - self::LOST_SECONDS);
        if ($isFirst || $wpdb->query($late) === 1) {
            self::start([self::class, 'callOurselves'], [self::class, 'work']);
        }
    }

    /**
     * Runs a task after the response if PHP supports it; otherwise immediately. @param callable|null $better a better
     * task to run after the response
     */
    private static function start(callable $now, ?callable $better = null): void
    {
        $finish = function_exists('fastcgi_finish_request') ? 'fastcgi_finish_request' : (function_exists('litespeed_finish_request') ? 'litespeed_finish_request' : null);
        if ($finish === null || did_action('shutdown') > 0) {
            ignore_user_abort(true);
            $now();
            return;
        }
        add_action('shutdown', static function () use ($finish, $now, $better): void {
            $finish();
            ($better ?? $now)();
        }, PHP_INT_MAX);
    }

    /**
     * Sends the request like WP-Cron, without waiting for the answer. Filters that sites use for cron requests apply
     * here too.
     */
    private static function callOurselves(): void
    {
        $args = ['timeout' => 0.01, 'blocking' => false, 'sslverify' => apply_filters('https_local_ssl_verify', false)];
        $request = apply_filters('cron_request', ['url' => self::address('slice'), 'key' => '', 'args' => $args], '');
        wp_remote_post($request['url'], $request['args']);
    }

    private static function isAsked(): bool
    {
        global $wpdb;
        return $wpdb->get_var($wpdb->prepare("SELECT 1 FROM $wpdb->options WHERE option_name = %s", self::MARK)) === '1';
    }

    /** Whether a message is received for the first time. */
    private static function isNew(string $id): bool
    {
        global $wpdb;
        // Signatures stay valid for much less than one day.
        $wpdb->query($wpdb->prepare("DELETE FROM $wpdb->options WHERE option_name LIKE %s AND option_value + 0 < %d", $wpdb->esc_like(self::SEEN) . '%', time() - DAY_IN_SECONDS));
        return self::insert(self::SEEN . md5($id));
    }

    /** The database decides without caches which process is first. */
    private static function insert(string $option): bool
    {
        global $wpdb;
        return $wpdb->query($wpdb->prepare("INSERT IGNORE INTO $wpdb->options (option_name, option_value, autoload) VALUES (%s, %s, 'no')", $option, (string) time())) === 1;
    }
}
