<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

use function Passerelle\verifyWebhook;

/**
 * A slice as soon as a gateway says that there is a new list, without the site's cron. A message leaves a mark, and the slice
 * that begins next takes it away: so many messages are one slice, and one that comes during a slice is followed by another.
 */
final class WebhookTrigger
{
    private const SPACE = 'passerelle/v1';
    private const MARK = 'passerelle_wake';
    private const SEEN = 'passerelle_message_';
    private const WANTED = 'passerelle_wanted_';
    private const MOST_BYTES = 8192;
    /** A request to ourselves that has not begun after this time is lost. */
    private const LOST_SECONDS = 5;

    public static function register(): void
    {
        add_action('rest_api_init', static function (): void {
            // The signature identifies the sender; and a slice without a request does nothing.
            $open = ['methods' => 'POST', 'permission_callback' => '__return_true'];
            register_rest_route(self::SPACE, '/webhook/(?P<gateway>[0-9a-f]{32})', $open + ['callback' => [self::class, 'hear']]);
            register_rest_route(self::SPACE, '/slice', $open + ['callback' => [self::class, 'answer']]);
        });
    }

    /** The address of a route, which no form of links and no language changes. */
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
            // The gateway was taken away here: this ends its webhook.
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

    /** The request that this site sends to itself. Sent by others, it finds nothing to do. */
    public static function answer(): \WP_REST_Response
    {
        if (self::isAsked()) {
            self::start([self::class, 'work']);
        }
        return new \WP_REST_Response(null, 202);
    }

    /** A slice takes the mark away before it asks for the list. */
    public static function taken(): void
    {
        global $wpdb;
        $wpdb->query($wpdb->prepare("DELETE FROM $wpdb->options WHERE option_name = %s", self::MARK));
    }

    /** A message arrived during a slice, which may have read the previous list. */
    public static function goOn(): void
    {
        if (self::isAsked()) {
            self::callOurselves();
        }
    }

    /** One slice for all who asked. */
    public static function work(): void
    {
        $slices = Sync::slice(Schedule::seconds());
        if (self::isBehind($slices)) {
            // The message was faster than the process that answered.
            sleep(2);
            $slices = Sync::slice(Schedule::seconds());
        }
        Schedule::goOnAfter($slices);
        foreach ($slices as $slice) {
            // One that has done nothing waits for the cron.
            if ($slice['state'] === 'more' && array_sum(array_intersect_key($slice, ['added' => 1, 'updated' => 1, 'removed' => 1, 'photos' => 1])) > 0) {
                self::ask();
                return;
            }
        }
    }

    /** Whether a gateway has said that there is a list, and has then answered that nothing is new. Asked once. */
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
     * After the answer when PHP can do that; else immediately. @param callable|null $better the task after the answer
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

    /** Like WP-Cron, without waiting for the answer. Sites that change such requests must change both. */
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

    /** Whether a message is not one that has come before. */
    private static function isNew(string $id): bool
    {
        global $wpdb;
        // Much longer than the time within which a signature is right.
        $wpdb->query($wpdb->prepare("DELETE FROM $wpdb->options WHERE option_name LIKE %s AND option_value + 0 < %d", $wpdb->esc_like(self::SEEN) . '%', time() - DAY_IN_SECONDS));
        return self::insert(self::SEEN . md5($id));
    }

    /** The database says who comes first, past all caches. */
    private static function insert(string $option): bool
    {
        global $wpdb;
        return $wpdb->query($wpdb->prepare("INSERT IGNORE INTO $wpdb->options (option_name, option_value, autoload) VALUES (%s, %s, 'no')", $option, (string) time())) === 1;
    }
}
