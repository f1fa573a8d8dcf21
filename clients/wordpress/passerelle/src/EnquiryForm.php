<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** The enquiry form on a listing's page. It works without scripts and on cached pages. */
final class EnquiryForm
{
    private const FIELD = 'passerelle_enquiry';
    private const LIMITS = ['name' => 200, 'email' => 254, 'phone' => 40, 'message' => 5000];

    /** The dates that a visitor may propose for a visit. */
    private const VISITS = 3;

    /** @var array<string, string> why a value cannot be used, by field */
    private static array $problems = [];

    public static function register(): void
    {
        add_action('template_redirect', [self::class, 'handle'], 5);
    }

    /** Processes a submitted form, stores the enquiry and redirects to the page. */
    public static function handle(): void
    {
        // phpcs:ignore -- a public form: it changes nothing that a nonce would protect, and pages come from caches
        if (($_SERVER['REQUEST_METHOD'] ?? '') !== 'POST' || !isset($_POST[self::FIELD])) {
            return;
        }
        nocache_headers();
        $postId = (int) get_queried_object_id();
        if (!is_singular(PostType::NAME) || PostType::isGone($postId)) {
            return;
        }
        $written = self::written();
        // People do not see this field: a robot that fills it in gets the success message.
        if (self::given('psr_website') === '') {
            self::$problems = self::problemsOf($written);
            if (self::$problems === [] && !Limits::take('enquiry')) {
                self::$problems = ['' => __('Too many enquiries came from here: please try again in ten minutes, or call us.', 'passerelle')];
            }
            if (self::$problems === [] && !Enquiries::add($postId, self::withVisits($written))) {
                self::$problems = ['' => __('Your enquiry could not be saved: please try again, or call us.', 'passerelle')];
            }
            if (self::$problems !== []) {
                status_header(422);
                return;
            }
        }
        wp_safe_redirect(add_query_arg('enquiry', 'sent', get_permalink($postId)) . '#psr-enquiry', 303);
        // Where PHP supports it, the visitor does not wait for the mail server.
        if (function_exists('fastcgi_finish_request')) {
            fastcgi_finish_request();
        }
        Enquiries::deliver(15);
        exit;
    }

    /** The form, or the success message. */
    public static function html(int $postId = 0): string
    {
        if (isset($_GET['enquiry']) && $_GET['enquiry'] === 'sent') { // phpcs:ignore -- nothing is done
            return '<div id="psr-enquiry" class="psr-enquiry"><p class="psr-sent" role="status">' . esc_html__('Thank you: your enquiry is on its way. The agency will answer you.', 'passerelle') . '</p></div>';
        }
        $written = self::$problems === [] ? array_fill_keys(array_keys(self::LIMITS), '') : self::written();
        $html = sprintf('<form id="psr-enquiry" class="psr-enquiry" method="post" action="%s#psr-enquiry" aria-label="%s">', esc_url((string) get_permalink($postId === 0 ? null : $postId)), esc_attr__('Enquiry', 'passerelle'));
        if (self::$problems !== []) {
            $html .= '<p class="psr-problem" role="alert">' . esc_html(self::$problems[''] ?? __('Something is missing or invalid: see below.', 'passerelle')) . '</p>';
        }
        $html .= self::field('name', __('Name', 'passerelle'), 'type="text" autocomplete="name" required', $written)
            . self::field('email', __('E-mail', 'passerelle'), 'type="email" autocomplete="email"', $written)
            . self::field('phone', __('Telephone', 'passerelle'), 'type="tel" autocomplete="tel"', $written);
        $message = $written['message'] !== '' || self::$problems !== [] ? $written['message'] : __('I would like to know more about this property, or visit it.', 'passerelle');
        $html .= sprintf('<label>%s<textarea name="psr_message" rows="4" maxlength="5000">%s</textarea>%s</label>', esc_html__('Message', 'passerelle'), esc_textarea($message), self::problem('message'));
        $html .= self::visitFields();
        $policy = get_privacy_policy_url();
        $html .= sprintf(
            '<label class="psr-consent"><input type="checkbox" name="psr_consent" value="1" required> <span>%s%s</span></label>%s',
            esc_html__('I agree that my message is stored to answer me.', 'passerelle'),
            $policy === '' ? '' : ' <a href="' . esc_url($policy) . '">' . esc_html__('Privacy', 'passerelle') . '</a>',
            self::problem('consent')
        );
        return $html . '<p class="psr-website" aria-hidden="true"><label>Website<input name="psr_website" tabindex="-1" autocomplete="off"></label></p>'
            . '<button type="submit" name="' . self::FIELD . '" value="1">' . esc_html__('Send', 'passerelle') . '</button></form>';
    }

    private static function visitFields(): string
    {
        $fields = '';
        for ($n = 1; $n <= self::VISITS; $n++) {
            /* translators: %s: 1, 2 or 3 */
            $fields .= sprintf('<label>%s<input type="date" name="psr_visit_%d" value="%s"></label>', esc_html(sprintf(__('Date %s', 'passerelle'), (string) $n)), $n, esc_attr(self::given("psr_visit_$n")));
        }
        $isOpen = self::visits() === [] ? '' : ' open';
        return sprintf('<details class="psr-visits"%s><summary>%s</summary>%s</details>', $isOpen, esc_html__('Propose dates for a visit', 'passerelle'), $fields);
    }

    /** The proposed days from today on, without repetition; others are ignored. @return string[] as YYYY-MM-DD */
    private static function visits(): array
    {
        $days = [];
        for ($n = 1; $n <= self::VISITS; $n++) {
            $day = self::given("psr_visit_$n");
            $isDay = preg_match('/^(\d{4})-(\d\d)-(\d\d)$/', $day, $parts) === 1 && checkdate((int) $parts[2], (int) $parts[3], (int) $parts[1]);
            if ($isDay && $day >= wp_date('Y-m-d')) {
                $days[$day] = $day;
            }
        }
        return array_values($days);
    }

    /** The enquiry with its proposed dates at the end of the message. */
    private static function withVisits(array $written): array
    {
        $visits = self::visits();
        if ($visits !== []) {
            $lines = "\n\n" . __('Proposed dates for a visit:', 'passerelle') . "\n- " . implode("\n- ", array_map([Numbers::class, 'day'], $visits));
            $written['message'] = mb_substr($written['message'], 0, self::LIMITS['message'] - mb_strlen($lines)) . $lines;
        }
        return $written;
    }

    private static function field(string $name, string $label, string $attributes, array $written): string
    {
        return sprintf(
            '<label>%s<input name="psr_%s" maxlength="%d" value="%s" %s%s>%s</label>',
            esc_html($label),
            $name,
            self::LIMITS[$name],
            esc_attr($written[$name]),
            $attributes,
            isset(self::$problems[$name]) ? ' aria-invalid="true"' : '',
            self::problem($name)
        );
    }

    private static function problem(string $name): string
    {
        return isset(self::$problems[$name]) ? '<span class="psr-problem">' . esc_html(self::$problems[$name]) . '</span>' : '';
    }

    /** @return array<string, string> */
    private static function problemsOf(array $written): array
    {
        $problems = [];
        if ($written['name'] === '') {
            $problems['name'] = __('Your name is missing.', 'passerelle');
        }
        if ($written['email'] !== '' && !is_email($written['email'])) {
            $problems['email'] = __('This is not an e-mail address.', 'passerelle');
        } elseif ($written['email'] === '' && $written['phone'] === '') {
            $problems['email'] = __('Leave an e-mail address or a telephone number, so that we can answer.', 'passerelle');
        }
        if ($written['phone'] !== '' && preg_match('#^[+\d][\d\s().\/-]*$#', $written['phone']) !== 1) {
            $problems['phone'] = __('This is not a telephone number.', 'passerelle');
        }
        if (self::given('psr_consent') !== '1') {
            $problems['consent'] = __('We need your agreement to answer.', 'passerelle');
        }
        return $problems;
    }

    /** @return array{name: string, email: string, phone: string, message: string} */
    private static function written(): array
    {
        $written = [];
        foreach (self::LIMITS as $name => $most) {
            $text = wp_check_invalid_utf8(self::given("psr_$name"), true);
            $text = preg_replace($name === 'message' ? '/[^\P{C}\r\n\t]/u' : '/[\p{C}\p{Z}]+/u', $name === 'message' ? '' : ' ', $text) ?? '';
            $written[$name] = mb_substr(trim($text), 0, $most);
        }
        return $written;
    }

    private static function given(string $name): string
    {
        $value = wp_unslash($_POST[$name] ?? ''); // phpcs:ignore -- see handle()
        return is_string($value) ? $value : '';
    }
}
