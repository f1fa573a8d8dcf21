<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** Sends e-mails with the site's own mailer. */
final class Mail
{
    /**
     * @param string $id the same for every attempt, so that mail programs recognize a duplicate @return bool whether
     * the mail server accepted it
     */
    public static function send(string $to, string $subject, string $text, array $headers, string $id = ''): bool
    {
        $prepare = static function ($mailer) use ($id): void {
            $mailer->Timeout = 10;
            if ($id !== '') {
                $mailer->MessageID = sprintf('<%s@%s>', $id, preg_replace('/[^a-z0-9.-]/i', '', (string) parse_url(home_url(), PHP_URL_HOST)) ?: 'localhost');
            }
        };
        add_action('phpmailer_init', $prepare);
        try {
            return wp_mail($to, $subject, $text, $headers);
        } finally {
            remove_action('phpmailer_init', $prepare);
        }
    }
}
