<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/**
 * The form with which visitors save a search for new listings, confirm it and end it. Works without scripts and
 * cookies.
 */
final class AlertForm
{
    private const FIELD = 'passerelle_alert';
    private static string $problem = '';

    public static function register(): void
    {
        add_action('template_redirect', [self::class, 'handle'], 4);
        add_action('template_redirect', [self::class, 'page'], 4);
    }

    /** Processes a submitted form and redirects to the page. */
    public static function handle(): void
    {
        // phpcs:ignore -- a public form: it changes nothing that a nonce would protect, and pages come from caches
        if (($_SERVER['REQUEST_METHOD'] ?? '') !== 'POST' || !isset($_POST[self::FIELD])) {
            return;
        }
        nocache_headers();
        $posted = array_filter(wp_unslash($_POST), 'is_string'); // phpcs:ignore -- it only filters
        $email = trim($posted['psr_email'] ?? '');
        // People do not see this field: a robot that fills it in gets the success message.
        if (($posted['psr_website'] ?? '') === '') {
            if (strlen($email) > 254 || !is_email($email)) {
                self::$problem = __('This is not an e-mail address.', 'passerelle');
            } elseif (($posted['psr_consent'] ?? '') !== '1') {
                self::$problem = __('We need your agreement to write to you.', 'passerelle');
            } elseif (!Limits::take('search')) {
                self::$problem = __('Too many searches came from here: please try again in ten minutes.', 'passerelle');
            } elseif (!Alerts::add($email, Pages::filtersOf($posted))) {
                self::$problem = __('Your search could not be saved: please try again.', 'passerelle');
            }
            if (self::$problem !== '') {
                status_header(422);
                return;
            }
        }
        $back = wp_get_raw_referer();
        $back = $back === false ? (string) get_post_type_archive_link(PostType::NAME) : $back;
        wp_safe_redirect(add_query_arg('search', 'asked', remove_query_arg('search', $back)) . '#psr-alert', 303);
        if (function_exists('fastcgi_finish_request')) {
            fastcgi_finish_request();
        }
        Alerts::deliver(10);
        exit;
    }

    /**
     * The form, or the success message; empty when the owner disabled the form. @param array<string, mixed> $filters
     */
    public static function html(array $filters): string
    {
        if (Settings::all()['alerts'] !== 'yes') {
            return '';
        }
        if (isset($_GET['search']) && $_GET['search'] === 'asked') { // phpcs:ignore -- nothing is done
            return '<div id="psr-alert" class="psr-enquiry"><p class="psr-sent" role="status">' . esc_html__('Check your e-mail: a click there confirms your address. Until then nothing is sent.', 'passerelle') . '</p></div>';
        }
        $hidden = '';
        foreach (Alerts::wanted($filters) as $name => $value) {
            $hidden .= sprintf('<input type="hidden" name="%s" value="%s">', esc_attr($name), esc_attr((string) $value));
        }
        $policy = get_privacy_policy_url();
        return sprintf(
            '<details id="psr-alert" class="psr-alert"%s><summary>%s</summary><form class="psr-enquiry" method="post" action="#psr-alert" aria-label="%s">%s%s',
            self::$problem === '' ? '' : ' open',
            esc_html__('Get new listings like these by e-mail', 'passerelle'),
            esc_attr__('Save this search', 'passerelle'),
            self::$problem === '' ? '' : '<p class="psr-problem" role="alert">' . esc_html(self::$problem) . '</p>',
            $hidden
        ) . sprintf(
            '<p class="psr-note">%s</p><label>%s<input name="psr_email" type="email" autocomplete="email" maxlength="254" required></label>
            <label class="psr-consent"><input type="checkbox" name="psr_consent" value="1" required> <span>%s%s</span></label>
            <p class="psr-website" aria-hidden="true"><label>Website<input name="psr_website" tabindex="-1" autocomplete="off"></label></p>
            <button type="submit" name="%s" value="1">%s</button></form></details>',
            esc_html(Alerts::words(['filters' => (string) wp_json_encode(Alerts::wanted($filters))])),
            esc_html__('E-mail', 'passerelle'),
            esc_html__('I agree that my address is stored to send me new listings, at most once a day. One click in any e-mail ends this.', 'passerelle'),
            $policy === '' ? '' : ' <a href="' . esc_url($policy) . '">' . esc_html__('Privacy', 'passerelle') . '</a>',
            self::FIELD,
            esc_html__('Save', 'passerelle')
        );
    }

    /** A POST confirms or ends a search. A GET only asks, because mail scanners send GETs too. */
    public static function page(): void
    {
        if (!isset($_GET['passerelle_search'], $_GET['secret'])) { // phpcs:ignore -- the secret in the address is the permission
            return;
        }
        nocache_headers();
        header('X-Robots-Tag: noindex');
        header('Referrer-Policy: no-referrer');
        $given = array_filter(wp_unslash($_GET), 'is_string'); // phpcs:ignore -- the same
        $isEnd = ($given['deed'] ?? '') === 'end';
        $id = (int) ($given['passerelle_search'] ?? 0);
        $row = Alerts::find($id, $given['secret'] ?? '');
        $isDone = ($_SERVER['REQUEST_METHOD'] ?? '') === 'POST';
        if ($row !== null && $isDone) {
            $isEnd ? Alerts::remove($row) : Alerts::confirm($row);
        }
        // Success if the search no longer exists. But a truncated address does not end a search.
        $isUnknown = $row === null && (!$isEnd || Alerts::isThere($id));
        status_header($isUnknown ? 404 : 200);
        $asks = $isEnd ? __('No more e-mails about this search?', 'passerelle') : __('Send new listings to this address?', 'passerelle');
        $tells = $isEnd ? __('You get no more e-mails about this search.', 'passerelle') : __('Thank you: we will write as soon as there is a new listing.', 'passerelle');
        if ($isUnknown) {
            $tells = $isEnd ? __('This address is incomplete: please copy it from the e-mail.', 'passerelle') : __('This search no longer exists: please save it again.', 'passerelle');
        }
        $isAsked = $row !== null && !$isDone;
        wp_enqueue_style('passerelle');
        Pages::frame(static function () use ($row, $isAsked, $isEnd, $asks, $tells): void {
            echo '<main class="psr" id="primary"><h1>' . esc_html($isAsked ? $asks : $tells) . '</h1>';
            if ($isAsked && $row !== null) {
                echo '<p>' . esc_html(Alerts::words($row)) . '</p><form method="post"><button type="submit">' . esc_html($isEnd ? __('End it', 'passerelle') : __('Confirm', 'passerelle')) . '</button></form>';
            }
            echo '<p class="psr-back"><a href="' . esc_url((string) get_post_type_archive_link(PostType::NAME)) . '">← ' . esc_html__('All properties', 'passerelle') . '</a></p></main>';
        });
        exit;
    }
}
