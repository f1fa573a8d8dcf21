<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

use Passerelle\Failure;
use Passerelle\Refused;

/**
 * Registers this site for notifications of each gateway, and shows the state. The site still checks every quarter of an
 * hour.
 */
final class Webhook
{
    private const EVENTS = ['list.published'];
    /** The gateway's limit of webhooks. */
    private const MOST = 5;
    /** The time limit for all calls to one gateway, in seconds. */
    private const SECONDS = 5;
    /** How long an admin page waits while another process registers; background tasks do not wait. */
    private const PATIENCE_SECONDS = 10;
    /**
     * After a registration, checks again after this many seconds, because a copy of this site may have registered the
     * same address at the same time. The gateway keeps the later registration.
     */
    private const SETTLED_SECONDS = 300;

    /**
     * Checks the registrations that are due. @param bool $isAsked whether a person waits for the result: then it checks
     * all of them
     */
    public static function keepAll(bool $isAsked = false): void
    {
        foreach (Settings::all(true)['gateways'] as $name => $gateway) {
            self::keep((string) $name, $gateway, $isAsked);
        }
    }

    /**
     * Registers this site unless it is registered. Checks this once a day, and immediately after the gateway or the
     * address changed.
     */
    public static function keep(string $name, array $gateway, bool $isAsked = false): void
    {
        $for = self::fingerprint($name, $gateway);
        if (!$isAsked && !self::isDue(self::hook($name), $for)) {
            return;
        }
        // One process at a time: otherwise the site and the gateway could keep the secrets of different registrations.
        Lock::alone('hook_' . substr(md5($name), 0, 12), static function () use ($name, $gateway, $for, $isAsked): void {
            $hook = self::hook($name, true);
            if ($isAsked || self::isDue($hook, $for)) {
                self::see($name, $gateway, $for, $hook);
            }
        }, $isAsked ? self::PATIENCE_SECONDS : 0);
    }

    private static function isDue(array $hook, string $for): bool
    {
        return $hook['for'] !== $for || time() >= $hook['next'];
    }

    /** Its caller has the lock. */
    private static function see(string $name, array $gateway, string $for, array $hook): void
    {
        // Drops a registration for another key or address.
        $hook = $hook['for'] === $for ? $hook : ['for' => $for] + self::NONE;
        $hook['why'] = self::obstacle(self::address($name), $gateway['base']);
        $hook['next'] = time() + DAY_IN_SECONDS;
        if ($hook['why'] === '') {
            try {
                $known = $hook['id'];
                $hook = self::register($name, $gateway, $hook);
                $hook['next'] = $hook['id'] === $known ? $hook['next'] : time() + self::SETTLED_SECONDS;
            } catch (Failure $failure) {
                [$hook['why'], $hook['message'], $hook['next']] = ['failed', Sentences::failure($failure), time() + HOUR_IN_SECONDS];
            }
        }
        update_option(self::option($name), $hook, false);
    }

    /** @throws Failure */
    private static function register(string $name, array $gateway, array $hook): array
    {
        $api = Settings::client($gateway, self::SECONDS);
        $known = $api->webhooks();
        $ours = array_column($known, null, 'id')[$hook['id']] ?? null;
        if ($ours !== null && ($ours['disabled_at'] ?? null) === null && Settings::unseal($hook['secret']) !== null) {
            return ['is_failing' => ($ours['failing_since'] ?? null) !== null] + $hook;
        }
        try {
            $added = $api->addWebhook(self::address($name), self::EVENTS);
        } catch (Refused $refused) {
            return ['id' => 0, 'secret' => '', 'why' => count($known) >= self::MOST ? 'full' : 'address'] + $hook;
        }
        return ['id' => (int) $added['id'], 'secret' => Settings::seal($added['secret']), 'is_failing' => false] + $hook;
    }

    /** Ends the notifications. If the gateway cannot be reached, it notices the removal from the site's next answer. */
    public static function remove(string $name, array $gateway): void
    {
        $hook = self::hook($name);
        // In a copy of a site, the stored registration belongs to the original.
        if ($hook['id'] > 0 && $hook['for'] === self::fingerprint($name, $gateway)) {
            try {
                Settings::client($gateway, self::SECONDS)->removeWebhook($hook['id']);
            } catch (Failure $failure) {
                unset($failure);
            }
        }
        self::forget($name);
    }

    public static function removeAll(): void
    {
        foreach (Settings::all(true)['gateways'] as $name => $gateway) {
            self::remove((string) $name, $gateway);
        }
    }

    public static function forget(string $name): void
    {
        delete_option(self::option($name));
        delete_option(self::option($name) . '_heard');
    }

    /** The secret that signs a gateway's messages; '' when this site is not registered with it. */
    public static function secret(string $name): string
    {
        return (string) Settings::unseal(self::hook($name)['secret']);
    }

    public static function noteHeard(string $name): void
    {
        update_option(self::option($name) . '_heard', time(), false);
    }

    /** The identifier of a gateway in this site's webhook address. */
    public static function mark(string $name): string
    {
        return md5($name);
    }

    /** The state for the plugin's page: whether the gateway notifies this site, and if not, since when and why. */
    public static function told(string $name): string
    {
        $hook = self::hook($name);
        if ($hook['id'] > 0 && !$hook['is_failing']) {
            $heard = (int) get_option(self::option($name) . '_heard');
            /* translators: %s: a date and time */
            $last = $heard > 0 ? sprintf(__('The last message came on %s.', 'passerelle'), AdminPage::when($heard)) : __('No message has come yet.', 'passerelle');
            return __('The gateway notifies this site when the list changes.', 'passerelle') . ' ' . $last;
        }
        $words = [
            '' => __('This site has not yet registered for notifications of the gateway.', 'passerelle'),
            'https' => __('The gateway does not notify this site, because the address of this site does not begin with https://.', 'passerelle'),
            'private' => __('The gateway does not notify this site, because this site has no public address.', 'passerelle'),
            'full' => __('The gateway does not notify this site, because it has reached its maximum number of webhooks. Its operator can remove one.', 'passerelle'),
            'address' => __('The gateway does not notify this site: it refuses the address of this site.', 'passerelle'),
            'failed' => __('This site could not register for notifications of the gateway.', 'passerelle') . ' ' . $hook['message'],
        ];
        $why = $hook['id'] > 0 ? __('Messages of the gateway do not arrive: a firewall or plugin may block them.', 'passerelle') : $words[$hook['why']] ?? '';
        return $why . ' ' . __('This site checks for changes every 15 minutes.', 'passerelle');
    }

    /** Why a remote gateway cannot reach this site, as far as this site can tell. */
    private static function obstacle(string $address, string $base): string
    {
        if (PhotoFile::isLocal($base)) {
            // A gateway on this machine can reach local addresses; if it refuses this address, its answer says so.
            return '';
        }
        $host = strtolower(trim((string) parse_url($address, PHP_URL_HOST), '[]'));
        $isNumber = filter_var($host, FILTER_VALIDATE_IP) !== false;
        $isPrivate = $isNumber
            ? filter_var($host, FILTER_VALIDATE_IP, FILTER_FLAG_NO_PRIV_RANGE | FILTER_FLAG_NO_RES_RANGE) === false
            : strpos($host, '.') === false || preg_match('/\.(?:localhost|local|lan|internal|test|invalid)$/', $host) === 1;
        return $isPrivate ? 'private' : (parse_url($address, PHP_URL_SCHEME) === 'https' ? '' : 'https');
    }

    /**
     * Works with every permalink structure. Avoids `rest_url()`, because other plugins vary it by the page's language.
     */
    private static function address(string $name): string
    {
        return WebhookTrigger::address('webhook/' . self::mark($name));
    }

    private static function fingerprint(string $name, array $gateway): string
    {
        return hash('sha256', implode("\n", [$gateway['base'], $gateway['key'], self::address($name)]));
    }

    private const NONE = ['for' => '', 'id' => 0, 'secret' => '', 'why' => '', 'message' => '', 'is_failing' => false, 'next' => 0];

    /** @return array{for: string, id: int, secret: string, why: string, message: string, is_failing: bool, next: int} */
    private static function hook(string $name, bool $isFresh = false): array
    {
        $saved = $isFresh ? Settings::fresh([self::option($name)])[self::option($name)] : get_option(self::option($name));
        return (is_array($saved) ? $saved : []) + self::NONE;
    }

    private static function option(string $name): string
    {
        return 'passerelle_webhook_' . md5($name);
    }
}
