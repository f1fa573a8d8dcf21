<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

use Passerelle\Failure;

/** The plugin's page: the state of each gateway and the available actions. Keys are entered here and never shown. */
final class AdminPage
{
    private const FEED_SECONDS = 60;
    private const MOST_FAILURES = 50;

    public static function show(): void
    {
        if (!current_user_can(Admin::RIGHT)) {
            return;
        }
        $settings = Settings::all();
        echo '<div class="wrap psr-admin"><h1>Passerelle</h1>' . self::STYLE; // phpcs:ignore -- a constant
        $notice = get_transient('passerelle_notice_' . get_current_user_id());
        if (is_array($notice) && $notice[1] !== '') {
            printf('<div class="notice notice-%s"><p>%s</p></div>', $notice[0] ? 'success' : 'error', esc_html($notice[1]));
        }
        delete_transient('passerelle_notice_' . get_current_user_id());
        foreach ($settings['gateways'] as $name => $gateway) {
            self::gateway($name, $gateway);
        }
        self::orphans(array_keys($settings['gateways']));
        self::connection($settings['gateways'] === []);
        self::settings($settings);
        echo '</div>';
    }

    private static function gateway(string $name, array $gateway): void
    {
        $state = Settings::state($name);
        $last = $state['last'];
        $count = Table::countLive($name);
        echo '<section class="psr-box"><h2>' . esc_html($name) . '</h2><dl>';
        self::row(__('Feed', 'passerelle'), self::feed($name, $gateway, $state['held'] !== null));
        /* translators: %s: number of listings */
        self::row(__('On this site', 'passerelle'), esc_html(sprintf(_n('%s listing', '%s listings', $count, 'passerelle'), Numbers::format($count))));
        self::row(__('Last run', 'passerelle'), $last === null ? esc_html__('none yet', 'passerelle') : esc_html(self::when($last['ended']) . ': ' . Admin::summary($last)));
        if ($state['waiting'] > 0) {
            self::row(__('Now', 'passerelle'), esc_html(Admin::summary(['state' => 'waiting'])));
        }
        self::row(__('New lists', 'passerelle'), esc_html(Webhook::told($name)));
        if ($state['retry_at'] > time()) {
            self::row(__('Next try', 'passerelle'), esc_html(self::when($state['retry_at'])));
        }
        foreach ($last['failed'] ?? [] as ['affId' => $affId, 'reason' => $reason]) {
            self::row(__('Not written', 'passerelle'), esc_html("$affId: $reason"));
        }
        echo '</dl>';
        if (($last['advice'] ?? '') === 'ask') {
            echo '<p class="psr-warn">' . esc_html__('This needs your attention: check the address, the client and the key, or ask the operator of the gateway.', 'passerelle') . '</p>';
        }
        if ($state['held'] !== null) {
            /* translators: 1: number of listings that would go, 2: of how many */
            echo '<div class="psr-warn"><p>' . esc_html(sprintf(__('The new list lacks %1$s of %2$s listings. Nothing was removed: check it, then approve it.', 'passerelle'), Numbers::format($state['held']['count']), Numbers::format($state['held']['of']))) . '</p>';
            self::button('approve', __('Remove them', 'passerelle'), ['name' => $name, 'snapshot' => $state['held']['snapshot']]);
            echo '</div>';
        }
        echo '<div class="psr-row">';
        self::button('run', __('Run now', 'passerelle'), ['name' => $name], 'button-primary');
        echo '</div>';
        if (PhotoFile::isLocal($gateway['base'])) {
            echo '<p class="psr-warn">' . esc_html__('This gateway runs on the same machine as this site, as in a demonstration. Its linked photos are visible on this machine only, and photos at other local addresses cannot be imported.', 'passerelle') . '</p>';
        }
        echo Duties::html(get_transient('passerelle_feed_' . md5($name))['duties_missing'] ?? null); // phpcs:ignore -- escaped there
        self::photoFailures($name);
        self::why($name, $gateway);
        echo '<details><summary>' . esc_html__('Remove this gateway', 'passerelle') . '</summary>';
        self::form('forget', ['name' => $name]);
        echo '<p><label><input type="checkbox" name="listings" value="1"> ' . esc_html__('and delete its listings and photos on this site', 'passerelle') . '</label></p>';
        submit_button(__('Take away', 'passerelle'), 'delete', '', false);
        echo '</form></details></section>';
    }

    /** The feed's state and its start time. The site requests them at most once a minute. */
    private static function feed(string $name, array $gateway, bool $isHeld): string
    {
        $kept = 'passerelle_feed_' . md5($name);
        $feed = get_transient($kept);
        if (!is_array($feed)) {
            try {
                $feed = Settings::client($gateway, 5)->feed();
            } catch (Failure $failure) {
                return '<span class="psr-state psr-failing">' . esc_html__('not reached', 'passerelle') . '</span> ' . esc_html(Sentences::failure($failure));
            }
            set_transient($kept, $feed, self::FEED_SECONDS);
        }
        $words = [
            'fresh' => __('up to date', 'passerelle'), 'stale' => __('not confirmed for a while', 'passerelle'),
            'held' => __('the newest list waits for an operator', 'passerelle'), 'failing' => __('the source cannot be read', 'passerelle'),
            'never' => __('nothing was imported yet', 'passerelle'),
        ];
        $state = (string) ($feed['state'] ?? '');
        if ($isHeld && $state === 'fresh') {
            // The gateway is up to date, but this site holds the new list.
            return '<span class="psr-state psr-held">' . esc_html__('a new list waits for you', 'passerelle') . '</span>';
        }
        $since = $feed['since'] ?? null;
        /* translators: %s: a date and time */
        $details = array_filter([is_string($since) ? sprintf(__('since %s', 'passerelle'), self::when((int) strtotime($since))) : '', Sentences::reason($feed['reason'] ?? null)]);
        return sprintf('<span class="psr-state psr-%s">%s</span> %s', esc_attr($state), esc_html($words[$state] ?? $state), esc_html(implode('. ', $details)));
    }

    private static function photoFailures(string $name): void
    {
        global $wpdb;
        $where = $wpdb->prepare('FROM ' . Table::name() . ' WHERE gateway = %s AND photo_failure IS NOT NULL', $name);
        $count = (int) Table::rows("SELECT count(*) AS count $where")[0]['count'];
        if ($count === 0) {
            return;
        }
        $rows = Table::rows("SELECT aff_id, photo_failure $where ORDER BY photo_tries DESC, aff_id LIMIT " . self::MOST_FAILURES);
        /* translators: %s: number of listings */
        echo '<details open><summary>' . esc_html(sprintf(_n('Photos of %s listing that failed', 'Photos of %s listings that failed', $count, 'passerelle'), Numbers::format($count))) . '</summary>';
        if ($count > count($rows)) {
            /* translators: %s: number of listings */
            echo '<p>' . esc_html(sprintf(__('The first %s are shown.', 'passerelle'), Numbers::format(count($rows)))) . '</p>';
        }
        echo '<ul>';
        foreach ($rows as $row) {
            $failures = json_decode((string) $row['photo_failure'], true);
            foreach (is_array($failures) ? $failures : [] as $url => $reason) {
                printf('<li><strong>%s</strong>: %s <code>%s</code></li>', esc_html($row['aff_id']), esc_html($reason), esc_html($url));
            }
        }
        echo '</ul>';
        self::button('photos', __('Try them again', 'passerelle'), ['name' => $name]);
        echo '</details>';
    }

    /** Explains why a listing is missing, from the API's history and the state on this site. */
    private static function why(string $name, array $gateway): void
    {
        // phpcs:disable -- it only reads, and shows the requested listing
        $asked = isset($_GET['why'], $_GET['of']) && is_string($_GET['why']) && $_GET['of'] === $name ? trim(wp_unslash($_GET['why'])) : '';
        // phpcs:enable
        self::form('why', ['name' => $name]);
        printf(
            '<div class="psr-row"><label>%s <input name="why" value="%s" required></label> <button class="button">%s</button></div></form>',
            esc_html__('Why is this listing not here?', 'passerelle'),
            esc_attr($asked),
            esc_html__('Look', 'passerelle')
        );
        if ($asked === '') {
            return;
        }
        $told = [];
        $affId = $asked;
        try {
            $history = Settings::client($gateway, 5)->history($asked);
            $affId = $history['affId'] ?? $asked;
            $told[] = __('The gateway says:', 'passerelle') . ' ' . Sentences::history($history) . (isset($history['since']) ? ' (' . self::when((int) strtotime($history['since'])) . ')' : '');
        } catch (Failure $failure) {
            $told[] = __('The gateway says:', 'passerelle') . ' ' . Sentences::failure($failure);
        }
        $row = Table::find($name, Table::keyOf($affId));
        $place = '';
        if ($row === null) {
            $told[] = __('This site has not received it yet.', 'passerelle');
        } elseif ($row['gone_at'] !== null) {
            /* translators: %s: a date and time */
            $told[] = sprintf(__('This site removed it on %s.', 'passerelle'), self::when((int) strtotime($row['gone_at'] . ' UTC')));
        } else {
            $told[] = $row['failure'] ?? __('It is on this site:', 'passerelle');
            $place = $row['failure'] === null ? (string) get_permalink((int) $row['post_id']) : '';
        }
        echo '<div class="psr-answer">';
        foreach ($told as $sentence) {
            echo '<p>' . esc_html($sentence) . '</p>';
        }
        echo ($place === '' ? '' : '<p><a href="' . esc_url($place) . '">' . esc_html($place) . '</a></p>') . '</div>';
    }

    /** Listings of removed gateways. @param string[] $names the gateways that remain */
    private static function orphans(array $names): void
    {
        $rows = Table::rows('SELECT gateway, count(*) AS count FROM ' . Table::name() . ' GROUP BY gateway');
        foreach ($rows as ['gateway' => $name, 'count' => $count]) {
            if (in_array($name, $names, true)) {
                continue;
            }
            /* translators: 1: number of listings, 2: gateway */
            echo '<section class="psr-box"><p>' . esc_html(sprintf(__('%1$s listings of %2$s are still here, and are no longer kept up to date.', 'passerelle'), Numbers::format((int) $count), $name)) . '</p>';
            self::button('forget', __('Delete them', 'passerelle'), ['name' => $name, 'listings' => '1']);
            echo '</section>';
        }
    }

    private static function connection(bool $isFirst): void
    {
        echo '<section class="psr-box"><h2>' . esc_html($isFirst ? __('Connect your gateway', 'passerelle') : __('Connect another gateway, or change one', 'passerelle')) . '</h2>';
        echo '<p>' . esc_html__('The operator of the gateway gives you these values. The key is not shown again.', 'passerelle') . '</p>';
        self::form('gateway');
        $entered = get_transient(Admin::formName());
        $entered = is_array($entered) ? $entered : [];
        echo '<table class="form-table" role="presentation">';
        self::field('base', __('Address', 'passerelle'), 'type="url" placeholder="https://listings.example" required class="regular-text"', '', $entered['base'] ?? '');
        self::field('crm', 'CRM', 'type="text" pattern="[a-zA-Z0-9_\-]+" required class="regular-text"', '', $entered['crm'] ?? '');
        self::field('client', __('Client', 'passerelle'), 'type="text" pattern="[a-zA-Z0-9_\-]+" required class="regular-text"', '', $entered['client'] ?? '');
        self::field('key', __('Key', 'passerelle'), 'type="password" autocomplete="off" class="regular-text"', __('Leave it empty to keep the present one.', 'passerelle'));
        self::field('langue', __('Language of the listings', 'passerelle'), 'type="text" pattern="[a-z][a-z]" maxlength="2" size="3" placeholder="fr"', __('Two letters. Empty: the language of this site.', 'passerelle'), $entered['langue'] ?? '');
        echo '</table>';
        submit_button(__('Connect', 'passerelle'));
        echo '</form></section>';
    }

    private static function settings(array $settings): void
    {
        $targets = array_filter(Targets::all(), static fn(Target $target, string $name): bool => $target->isAvailable() || $name === $settings['target'], ARRAY_FILTER_USE_BOTH);
        $choices = [
            'photos' => [__('Photos', 'passerelle'), [
                'auto' => __('Link those that the gateway serves in several sizes, import the others', 'passerelle'), 'link' => __('Link all of them', 'passerelle'),
                'first' => __('Import the first one, link the others', 'passerelle'), 'import' => __('Import all of them', 'passerelle'),
            ]],
            'gone' => [__('Removed listings', 'passerelle'), [
                'draft' => __('Make them drafts, delete them after 30 days', 'passerelle'),
                'keep' => __('Keep the page with its first photo, and say that it is no longer available', 'passerelle'),
            ]],
            'enquiries' => [__('Enquiries go', 'passerelle'), [
                'email' => __('by e-mail from this site, to the negotiator or the address below', 'passerelle'),
                'gateway' => __('to the gateway, which brings them into your software; by e-mail only when it cannot be reached', 'passerelle'),
                'both' => __('both ways', 'passerelle'),
            ]],
            'alerts' => [__('Searches of visitors', 'passerelle'), [
                'yes' => __('Visitors can save a search: they confirm their address, and get at most one e-mail a day', 'passerelle'), 'no' => __('Visitors cannot save searches', 'passerelle')]],
            'target' => [__('Shown by', 'passerelle'), array_map(static fn(Target $target): string => $target->label(), $targets)],
        ];
        echo '<section class="psr-box"><h2>' . esc_html__('Settings', 'passerelle') . '</h2>';
        self::form('settings');
        foreach ($choices as $name => [$title, $options]) {
            echo '<fieldset><legend>' . esc_html($title) . '</legend>';
            foreach ($options as $value => $label) {
                printf('<p><label><input type="radio" name="%s" value="%s"%s> %s</label></p>', esc_attr($name), esc_attr($value), checked($settings[$name], $value, false), esc_html($label));
            }
            echo '</fieldset>';
        }
        echo '<table class="form-table" role="presentation">';
        self::field('enquiries_to', __('Address for enquiries', 'passerelle'), 'type="email" class="regular-text"', __('For listings without a negotiator. Empty: the address of this site.', 'passerelle'), $settings['enquiries_to']);
        self::field('enquiries_hook', __('Webhook for enquiries', 'passerelle'), 'type="url" placeholder="https://" class="regular-text"', __('Each enquiry is also sent there as JSON.', 'passerelle'), $settings['enquiries_hook']);
        printf(
            '<tr><th scope="row"><label for="psr-enquiries_reply">%s</label></th><td><textarea id="psr-enquiries_reply" name="enquiries_reply" rows="4" maxlength="2000" class="large-text">%s</textarea><p class="description">%s</p></td></tr>',
            esc_html__('Answer to visitors', 'passerelle'),
            esc_textarea($settings['enquiries_reply']),
            esc_html__('Sent by e-mail to who writes an enquiry, with the property. Empty: no answer.', 'passerelle')
        );
        self::field('tiles', __('Tiles of the map', 'passerelle'), 'type="text" class="regular-text" placeholder="https://tile.openstreetmap.org/{z}/{x}/{y}.png"', __('Empty: no map. Visitors must agree before anything is loaded from there.', 'passerelle'), $settings['tiles']);
        self::field('tiles_credit', __('Credit of the map', 'passerelle'), 'type="text" class="regular-text"', '', $settings['tiles_credit']);
        self::field('mortgage_rate', __('Loan estimate: yearly rate in %', 'passerelle'), 'type="text" inputmode="decimal" class="small-text"', __('Empty: no estimate. Pages of properties for sale then show the monthly payments of a loan. Check the rate regularly; advertising for credit may require further facts.', 'passerelle'), $settings['mortgage_rate']);
        self::field('mortgage_years', __('Loan estimate: term in years', 'passerelle'), 'type="text" inputmode="numeric" class="small-text"', '', $settings['mortgage_years']);
        echo '</table>';
        submit_button(__('Save', 'passerelle'));
        echo '</form></section>';
    }

    private static function field(string $name, string $label, string $attributes, string $hint = '', string $value = ''): void
    {
        printf(
            '<tr><th scope="row"><label for="psr-%1$s">%2$s</label></th><td><input id="psr-%1$s" name="%1$s" value="%5$s" %3$s>%4$s</td></tr>',
            esc_attr($name),
            esc_html($label),
            $attributes, // phpcs:ignore -- written here
            $hint === '' ? '' : '<p class="description">' . esc_html($hint) . '</p>',
            esc_attr($value)
        );
    }

    private static function form(string $deed, array $hidden = []): void
    {
        printf('<form method="post" action="%s">', esc_url(admin_url('admin-post.php')));
        foreach (['action' => 'passerelle', 'deed' => $deed] + $hidden as $name => $value) {
            printf('<input type="hidden" name="%s" value="%s">', esc_attr($name), esc_attr($value));
        }
        wp_nonce_field("passerelle_$deed", '_wpnonce', false);
    }

    private static function button(string $deed, string $label, array $hidden, string $class = ''): void
    {
        self::form($deed, $hidden);
        printf('<button class="button %s">%s</button></form>', esc_attr($class), esc_html($label));
    }

    private static function row(string $name, string $html): void
    {
        printf('<div><dt>%s</dt><dd>%s</dd></div>', esc_html($name), $html); // phpcs:ignore -- escaped by the caller
    }

    public static function when(int $time): string
    {
        return Numbers::moment($time);
    }

    private const STYLE = '<style>
.psr-box { max-width: 60rem; margin: 1rem 0; padding: .3rem 1.2rem 1.2rem; border: 1px solid #c3c4c7; border-radius: 6px; background: #fff; overflow-wrap: anywhere; }
.psr-box dl > div { display: flex; flex-wrap: wrap; gap: .1rem 1rem; padding: .35rem 0; border-top: 1px solid #f0f0f1; }
.psr-box dl > div:first-child { border-top: 0; }
.psr-box dt { flex: 0 0 9rem; color: #50575e; } .psr-box dd { flex: 1 1 15rem; margin: 0; }
.psr-box fieldset { margin: 0 0 1rem; } .psr-box legend { padding: 0; font-weight: 600; }
.psr-box details { margin-top: 1rem; } .psr-box summary { padding: .4rem 0; cursor: pointer; }
.psr-row { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem; margin: .8rem 0; }
.psr-state { display: inline-block; padding: .05rem .6rem; border-radius: 99px; background: #e8ecf1; font-weight: 600; }
.psr-fresh { background: #d5f0e0; color: #0d5132; } .psr-stale, .psr-held { background: #fcefd0; color: #5c3b00; } .psr-failing, .psr-never { background: #fbdcda; color: #8a1a12; }
.psr-warn, .psr-answer { margin: .8rem 0; padding: .6rem 1rem; border-left: 4px solid #8a5a00; background: #fff6e5; }
.psr-answer { border-color: #0b5bbd; background: #f0f5fc; }
@media (max-width: 782px) { .psr-box { padding: .3rem .8rem .8rem; } .psr-box input:not([type=radio]):not([type=checkbox]) { max-width: 100%; } }
</style>';
}
