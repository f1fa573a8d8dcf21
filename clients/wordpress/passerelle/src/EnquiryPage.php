<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** The page that shows the owner the copies of enquiries. */
final class EnquiryPage
{
    private const SHOWN = 100;

    public static function register(): void
    {
        add_action('admin_menu', static function (): void {
            add_submenu_page('edit.php?post_type=' . PostType::NAME, __('Enquiries', 'passerelle'), __('Enquiries', 'passerelle'), Admin::RIGHT, 'passerelle-enquiries', [self::class, 'show']);
        });
    }

    public static function show(): void
    {
        global $wpdb;
        if (!current_user_can(Admin::RIGHT)) {
            return;
        }
        $rows = Table::rows($wpdb->prepare('SELECT * FROM ' . Enquiries::name() . ' ORDER BY done_at IS NOT NULL, id DESC LIMIT %d', self::SHOWN));
        echo '<div class="wrap"><h1>' . esc_html__('Enquiries', 'passerelle') . '</h1><p>';
        /* translators: %s: number of days */
        echo esc_html(sprintf(__('Enquiries of visitors. Copies are deleted %s days after they were delivered.', 'passerelle'), Numbers::format(Enquiries::DAYS))) . '</p>';
        if ($rows === []) {
            echo '<p>' . esc_html__('None yet.', 'passerelle') . '</p></div>';
            return;
        }
        $heads = [__('Received', 'passerelle'), __('Listing', 'passerelle'), __('Name', 'passerelle'), __('Message', 'passerelle'), __('State', 'passerelle')];
        echo '<table class="widefat striped"><thead><tr><th scope="col">' . implode('</th><th scope="col">', array_map('esc_html', $heads)) . '</th></tr></thead><tbody>';
        foreach ($rows as $row) {
            printf(
                '<tr><td>%s</td><td><a href="%s">%s</a></td><td>%s</td><td>%s</td><td>%s</td></tr>',
                esc_html(AdminPage::when((int) strtotime($row['received_at'] . ' UTC'))),
                esc_url((string) get_permalink((int) $row['post_id'])),
                esc_html(get_the_title((int) $row['post_id'])),
                implode('<br>', array_map('esc_html', array_filter([$row['name'], $row['email'], $row['phone']]))), // phpcs:ignore -- escaped
                nl2br(esc_html($row['message'])), // phpcs:ignore -- escaped
                esc_html($row['done_at'] !== null ? __('delivered', 'passerelle') : __('waits', 'passerelle') . ' ' . $row['failure'])
            );
        }
        echo '</tbody></table></div>';
    }
}
