<?php
/** Deletes everything that the plugin has created: listings with their photos, tables, settings and scheduled tasks. */

declare(strict_types=1);

if (!defined('WP_UNINSTALL_PLUGIN')) {
    exit;
}

(static function (): void {
    $cleanUp = static function (): void {
        global $wpdb;
        $table = $wpdb->prefix . 'passerelle';
        $isThere = $wpdb->get_var($wpdb->prepare('SHOW TABLES LIKE %s', $wpdb->esc_like($table))) === $table;
        // Collects posts from the table, and further posts by type and guid.
        $posts = array_merge(
            $isThere ? $wpdb->get_col("SELECT post_id FROM $table WHERE post_id > 0") : [],
            $wpdb->get_col("SELECT ID FROM $wpdb->posts WHERE post_type = 'passerelle_bien' OR guid LIKE 'https://passerelle.invalid/%'")
        );
        // Deletes photos and pages in other languages before the posts to which they belong.
        $children = $wpdb->get_results("SELECT ID, post_type FROM $wpdb->posts WHERE post_content_filtered LIKE 'passerelle:%'");
        foreach ($children as $child) {
            $child->post_type === 'attachment' ? wp_delete_attachment((int) $child->ID, true) : wp_delete_post((int) $child->ID, true);
        }
        foreach (array_unique(array_map('intval', $posts)) as $postId) {
            wp_delete_post($postId, true);
        }
        $wpdb->query("DROP TABLE IF EXISTS $table, {$table}_buried, {$table}_enquiries, {$table}_searches");
        $names = "option_name = 'passerelle' OR option_name LIKE 'passerelle\\_%' OR option_name LIKE '\\_transient\\_passerelle\\_%' OR option_name LIKE '\\_transient\\_timeout\\_passerelle\\_%'";
        foreach ($wpdb->get_col("SELECT option_name FROM $wpdb->options WHERE $names") as $name) {
            delete_option($name);
        }
        // The rules contain the listings' addresses; WordPress generates them again.
        delete_option('rewrite_rules');
        foreach (['passerelle_slice', 'passerelle_slice_more', 'passerelle_enquiries', 'passerelle_alerts'] as $hook) {
            wp_unschedule_hook($hook);
        }
        $wpdb->query("DELETE FROM $wpdb->usermeta WHERE meta_key LIKE '%passerelle\\_bien%'");
        // Deletes remains of killed downloads and empty folders.
        $folder = wp_upload_dir(null, false)['basedir'] . '/passerelle';
        if (is_dir($folder)) {
            $files = new RecursiveIteratorIterator(new RecursiveDirectoryIterator($folder, FilesystemIterator::SKIP_DOTS), RecursiveIteratorIterator::CHILD_FIRST);
            foreach ($files as $file) {
                $file->isDir() && !$file->isLink() ? rmdir($file->getPathname()) : unlink($file->getPathname());
            }
            rmdir($folder);
        }
    };
    if (!is_multisite()) {
        $cleanUp();
        return;
    }
    foreach (get_sites(['fields' => 'ids', 'number' => 0]) as $site) {
        switch_to_blog($site);
        $cleanUp();
        restore_current_blog();
    }
})();
