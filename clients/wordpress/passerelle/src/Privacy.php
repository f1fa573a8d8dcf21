<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** Lets WordPress's tools for personal data export and erase visitors' enquiries. */
final class Privacy
{
    public static function register(): void
    {
        add_filter('wp_privacy_personal_data_exporters', static fn(array $all): array => $all + ['passerelle' => ['exporter_friendly_name' => 'Passerelle', 'callback' => [self::class, 'export']]]);
        add_filter('wp_privacy_personal_data_erasers', static fn(array $all): array => $all + ['passerelle' => ['eraser_friendly_name' => 'Passerelle', 'callback' => [self::class, 'erase']]]);
    }

    public static function export(string $email): array
    {
        global $wpdb;
        $items = [];
        foreach (Table::rows($wpdb->prepare('SELECT * FROM ' . Enquiries::name() . ' WHERE email = %s ORDER BY id', $email)) as $row) {
            $data = [];
            foreach (['received_at' => __('Received', 'passerelle'), 'name' => __('Name', 'passerelle'), 'email' => __('E-mail', 'passerelle'), 'phone' => __('Telephone', 'passerelle'), 'message' => __('Message', 'passerelle')] as $column => $label) {
                $data[] = ['name' => $label, 'value' => $row[$column]];
            }
            $items[] = ['group_id' => 'passerelle', 'group_label' => __('Enquiries', 'passerelle'), 'item_id' => 'passerelle-' . $row['id'], 'data' => $data];
        }
        foreach (Table::rows($wpdb->prepare('SELECT * FROM ' . Alerts::name() . ' WHERE email = %s ORDER BY id', $email)) as $row) {
            $data = [
                ['name' => __('Received', 'passerelle'), 'value' => $row['asked_at']], ['name' => __('Confirmed', 'passerelle'), 'value' => (string) $row['confirmed_at']],
                ['name' => __('E-mail', 'passerelle'), 'value' => $row['email']], ['name' => __('Search', 'passerelle'), 'value' => Alerts::words($row)],
            ];
            $items[] = ['group_id' => 'passerelle-searches', 'group_label' => __('Searches of visitors', 'passerelle'), 'item_id' => 'passerelle-search-' . $row['id'], 'data' => $data];
        }
        return ['data' => $items, 'done' => true];
    }

    /** Keeps enquiries that are not yet delivered, because the visitor asked for an answer. */
    public static function erase(string $email): array
    {
        global $wpdb;
        $removed = (int) $wpdb->query($wpdb->prepare('DELETE FROM ' . Alerts::name() . ' WHERE email = %s', $email));
        $removed += (int) $wpdb->query($wpdb->prepare('DELETE FROM ' . Enquiries::name() . ' WHERE email = %s AND done_at IS NOT NULL', $email));
        $left = (int) Table::rows($wpdb->prepare('SELECT count(*) AS count FROM ' . Enquiries::name() . ' WHERE email = %s', $email))[0]['count'];
        return ['items_removed' => $removed > 0, 'items_retained' => $left > 0, 'messages' => $left === 0 ? [] : [__('Enquiries that are not yet delivered are kept.', 'passerelle')], 'done' => true];
    }
}
