<?php
/** Takes away everything that the plugin has brought: listings with their photos, the table, settings and plans. */

declare(strict_types=1);

if (!defined('WP_UNINSTALL_PLUGIN')) {
    exit;
}

(static function (): void {
    global $wpdb;
    $table = $wpdb->prefix . 'passerelle';
    if ($wpdb->get_var($wpdb->prepare('SHOW TABLES LIKE %s', $wpdb->esc_like($table))) === $table) {
        foreach ($wpdb->get_col("SELECT post_id FROM $table WHERE post_id > 0") as $postId) {
            $children = $wpdb->get_results($wpdb->prepare(
                "SELECT ID, post_type FROM $wpdb->posts WHERE post_parent = %d AND post_content_filtered LIKE 'passerelle:%%'",
                $postId
            ));
            foreach ($children as $child) {
                $child->post_type === 'attachment' ? wp_delete_attachment((int) $child->ID, true) : wp_delete_post((int) $child->ID, true);
            }
            wp_delete_post((int) $postId, true);
        }
        $wpdb->query("DROP TABLE $table");
    }
    foreach ($wpdb->get_col("SELECT option_name FROM $wpdb->options WHERE option_name LIKE 'passerelle\\_state\\_%'") as $name) {
        delete_option($name);
    }
    delete_option('passerelle');
    delete_option('passerelle_schema');
    wp_clear_scheduled_hook('passerelle_slice');
    wp_clear_scheduled_hook('passerelle_slice_more');
})();
