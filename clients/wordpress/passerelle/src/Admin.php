<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

use Passerelle\Failure;

/** The site owner's actions on the plugin's page. Each action checks the permission and a nonce. */
final class Admin
{
    public const PAGE = 'passerelle';
    public const RIGHT = 'manage_options';
    private const DEEDS = ['run', 'gateway', 'forget', 'settings', 'approve', 'why', 'photos'];

    public static function register(): void
    {
        add_action('admin_menu', static function (): void {
            $parent = 'edit.php?post_type=' . PostType::NAME;
            add_submenu_page($parent, 'Passerelle', __('Synchronisation', 'passerelle'), self::RIGHT, self::PAGE, [AdminPage::class, 'show']);
        });
        add_action('admin_post_passerelle', [self::class, 'handle']);
        add_filter('plugin_action_links_' . plugin_basename(FILE), static function (array $links): array {
            return array_merge(['<a href="' . esc_url(self::address()) . '">' . esc_html__('Settings', 'passerelle') . '</a>'], $links);
        });
    }

    public static function address(array $query = []): string
    {
        return add_query_arg($query, admin_url('edit.php?post_type=' . PostType::NAME . '&page=' . self::PAGE));
    }

    public static function handle(): void
    {
        $deed = self::given('deed');
        if (!current_user_can(self::RIGHT) || !in_array($deed, self::DEEDS, true)) {
            wp_die(esc_html__('You may not do that.', 'passerelle'), '', ['response' => 403]);
        }
        check_admin_referer("passerelle_$deed");
        [$isGood, $message] = self::$deed();
        if ($deed === 'gateway') {
            self::rememberForm($isGood);
        }
        set_transient('passerelle_notice_' . get_current_user_id(), [$isGood, $message], MINUTE_IN_SECONDS);
        wp_safe_redirect(self::address($deed === 'why' ? ['why' => self::given('why'), 'of' => self::given('name')] : []));
        exit;
    }

    /** @return array{0: bool, 1: string} whether it succeeded, and the message to show */
    private static function run(): array
    {
        $name = self::given('name');
        $slices = Sync::slice(Schedule::seconds(), true, $name);
        Schedule::goOnAfter($slices);
        $slice = $slices[$name] ?? ['state' => 'failed', 'message' => __('This gateway is unknown.', 'passerelle')];
        return [in_array($slice['state'], ['done', 'more', 'waiting'], true), self::summary($slice)];
    }

    /** Refills the form with refused values, except keys. */
    private static function rememberForm(bool $isTaken): void
    {
        $name = self::formName();
        if ($isTaken) {
            delete_transient($name);
        } else {
            set_transient($name, array_map([self::class, 'given'], ['base' => 'base', 'crm' => 'crm', 'client' => 'client', 'langue' => 'langue']), HOUR_IN_SECONDS);
        }
    }

    public static function formName(): string
    {
        return 'passerelle_form_' . get_current_user_id();
    }

    private static function gateway(): array
    {
        $settings = Settings::all();
        // Removes an endpoint's path, in case the owner copied the address from the documentation.
        $gateway = ['base' => untrailingslashit(preg_replace('#/v1(/.*)?$#', '', esc_url_raw(self::given('base'), ['https', 'http'])))];
        foreach (['crm', 'client'] as $part) {
            // CRM codes are lower-case.
            $gateway[$part] = $part === 'crm' ? strtolower(self::given($part)) : self::given($part);
            if (preg_match('/^[a-zA-Z0-9_-]{1,90}$/', $gateway[$part]) !== 1) {
                return [false, __('CRM and client consist of letters, digits, hyphens and underscores.', 'passerelle')];
            }
        }
        $name = Settings::nameOf($gateway['crm'], $gateway['client']);
        $known = $settings['gateways'][$name] ?? null;
        $key = self::given('key');
        if ($key === '' && ($known === null || $known['base'] !== $gateway['base'])) {
            // A key is sent only to the address for which it was entered.
            return [false, __('Enter the key, too.', 'passerelle')];
        }
        $language = self::given('langue');
        $gateway += ['key' => $key === '' ? $known['key'] : Settings::seal($key), 'langue' => preg_match('/^[a-z]{2}$/', $language) === 1 ? $language : ''];
        try {
            $feed = Settings::client($gateway, 10)->feed();
        } catch (Failure $failure) {
            return [false, Sentences::failure($failure)];
        }
        if ($known !== null && $known['base'] !== $gateway['base']) {
            Webhook::remove($name, $known);
        }
        $settings['gateways'][$name] = $gateway;
        Settings::save($settings);
        Webhook::keep($name, $gateway, true);
        if (($known['langue'] ?? $gateway['langue']) !== $gateway['langue']) {
            self::writeAnew();
        }
        Settings::compareAnew($name);
        Schedule::goOnAfter([$name => ['state' => 'more']]);
        /* translators: %s: number of listings */
        return [true, sprintf(__('Connected: %s listings. They are fetched in the background.', 'passerelle'), Numbers::format((float) ($feed['total'] ?? 0)))];
    }

    /** Removes a gateway; its listings stay until the owner removes them. */
    private static function forget(): array
    {
        $name = self::given('name');
        $deadline = microtime(true) + Schedule::seconds();
        $settings = Settings::all(true);
        if (isset($settings['gateways'][$name])) {
            Webhook::remove($name, $settings['gateways'][$name]);
        }
        unset($settings['gateways'][$name]);
        Settings::save($settings);
        // A slice that is running notices the removal and stops after its current listing or photo.
        if (!Lock::take((int) Schedule::seconds())) {
            /* translators: %s: number of listings */
            return [false, sprintf(__('The gateway was removed, but a run is still active. %s listings are still here: please try again.', 'passerelle'), Numbers::format(Table::count($name)))];
        }
        try {
            Settings::forgetState($name);
            $isAsked = self::given('listings') === '1';
            $left = $isAsked ? RemovedListings::deleteAll($name, static fn(): bool => microtime(true) < $deadline && Lock::isHeld()) : 0;
        } finally {
            Lock::release();
        }
        /* translators: %s: number of listings */
        return $left === 0 ? [true, __('The gateway was removed.', 'passerelle')] : [false, sprintf(__('%s listings are still here: please try again.', 'passerelle'), Numbers::format($left))];
    }

    private static function settings(): array
    {
        $settings = Settings::all();
        $before = $settings;
        foreach (['photos' => Settings::PHOTOS, 'gone' => Settings::GONE, 'target' => array_keys(Targets::all()), 'enquiries' => Settings::ENQUIRIES, 'alerts' => Settings::ALERTS] as $name => $words) {
            $settings[$name] = in_array(self::given($name), $words, true) ? self::given($name) : $settings[$name];
        }
        [$to, $hook] = [self::given('enquiries_to'), esc_url_raw(self::given('enquiries_hook'), ['https'])];
        if (($to !== '' && !is_email($to)) || ($hook === '' && self::given('enquiries_hook') !== '')) {
            return [false, __('The address for enquiries is invalid: enter an e-mail address, and an https address for the webhook.', 'passerelle')];
        }
        $tiles = self::given('tiles');
        if ($tiles !== '' && preg_match('#^https?://[^\s"<>]*\{z\}[^\s"<>]*$#', $tiles) !== 1) {
            return [false, __('The address of the map is invalid: it must contain {z}, {x} and {y}.', 'passerelle')];
        }
        $settings = ['tiles' => $tiles, 'tiles_credit' => sanitize_text_field(self::given('tiles_credit'))] + $settings;
        [$rate, $years] = [Mortgage::rateOf(self::given('mortgage_rate')), Mortgage::yearsOf(self::given('mortgage_years'))];
        if ($rate === null || $years === null || ($rate === '') !== ($years === '')) {
            /* translators: 1: a percentage, 2: number of years */
            return [false, sprintf(__('The loan estimate needs a rate of at most %1$s and a term of 1 to %2$s years. Leave both empty to show no estimate.', 'passerelle'), Prices::share(Mortgage::HIGHEST_RATE), Numbers::format(Mortgage::MOST_YEARS))];
        }
        $settings = ['mortgage_rate' => $rate, 'mortgage_years' => $years] + $settings;
        $answer = sanitize_textarea_field(self::given('enquiries_reply'));
        $settings = ['enquiries_to' => $to, 'enquiries_hook' => $hook, 'enquiries_reply' => mb_substr($answer, 0, 2000)] + $settings;
        Settings::save($settings);
        Webhook::keepAll(true);
        if ($settings['target'] !== $before['target']) {
            self::writeAnew();
        } elseif ($settings['photos'] !== $before['photos']) {
            global $wpdb;
            $wpdb->query('UPDATE ' . Table::name() . " SET photos_done = '', photo_after = NULL WHERE photos <> ''");
        }
        return [true, __('Saved.', 'passerelle')];
    }

    private static function writeAnew(): void
    {
        global $wpdb;
        $wpdb->query('UPDATE ' . Table::name() . " SET empreinte = ''");
        array_map([Settings::class, 'compareAnew'], array_keys(Settings::all()['gateways']));
    }

    /** Confirms a mass removal that no operator has approved. */
    private static function approve(): array
    {
        $name = self::given('name');
        $state = Settings::state($name);
        if (($state['held']['snapshot'] ?? '') !== self::given('snapshot') || $state['held'] === null) {
            return [false, __('The list has changed in the meantime: please check it again.', 'passerelle')];
        }
        Settings::saveState($name, ['approved' => $state['held']['snapshot']] + $state);
        return self::run();
    }

    private static function why(): array
    {
        return [true, ''];
    }

    /** Requests missing photos again. */
    private static function photos(): array
    {
        global $wpdb;
        $wpdb->query($wpdb->prepare('UPDATE ' . Table::name() . ' SET photo_after = NULL, photo_tries = 0 WHERE gateway = %s', self::given('name')));
        return self::run();
    }

    /** The result of a slice, as a sentence. */
    public static function summary(array $slice): string
    {
        $did = [];
        foreach (['added' => __('%s new', 'passerelle'), 'updated' => __('%s updated', 'passerelle'), 'removed' => __('%s removed', 'passerelle'), 'photos' => __('%s photos fetched', 'passerelle')] as $what => $text) {
            if (($slice[$what] ?? 0) > 0) {
                $did[] = sprintf($text, Numbers::format($slice[$what]));
            }
        }
        if (($slice['failed'] ?? []) !== []) {
            /* translators: %s: number of listings */
            $did[] = sprintf(__('%s could not be written', 'passerelle'), Numbers::format(count($slice['failed'])));
        }
        $states = [
            'done' => __('Up to date.', 'passerelle'), 'more' => __('The rest continues in the background.', 'passerelle'),
            'busy' => __('Another run is under way.', 'passerelle'), 'later' => __('It is not yet time to try again.', 'passerelle'),
            'held' => __('A removal of many listings waits for you.', 'passerelle'),
            'failed' => __('It failed; nothing was removed.', 'passerelle'),
            'waiting' => __('It waits for its turn: other gateways are being read.', 'passerelle'),
            'full' => __('The disk of this site is full: photos are missing until there is room again.', 'passerelle'),
        ];
        return trim(($states[$slice['state']] ?? '') . ' ' . ucfirst(implode(', ', $did)) . ($did === [] ? '' : '. ') . ($slice['message'] ?? ''));
    }

    private static function given(string $name): string
    {
        // phpcs:ignore -- the nonce is checked once for all deeds
        $value = wp_unslash($_POST[$name] ?? '');
        return is_string($value) ? trim($value) : '';
    }
}
