<?php
/**
 * Plugin Name:       Passerelle
 * Description:       Shows your agency's listings, kept in step with your CRM through a Passerelle gateway.
 * Version:           1.1.0
 * Requires at least: 6.1
 * Requires PHP:      7.4
 * Author:            Passerelle
 * License:           GPL-2.0-or-later
 * License URI:       https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain:       passerelle
 * Domain Path:       /languages
 */

declare(strict_types=1);

namespace Passerelle\WordPress;

if (!defined('ABSPATH')) {
    exit;
}

const VERSION = '1.1.0';
const FILE = __FILE__;

if (!class_exists('Passerelle\Client')) {
    require __DIR__ . '/lib/Passerelle.php';
}
foreach (['Settings', 'Table', 'Position', 'Lock', 'Sentences', 'Targets', 'targets/Houzez', 'targets/PropertyHive', 'targets/RealHomes', 'targets/WpResidence', 'targets/EasyPropertyListings', 'Languages', 'StoredPhoto', 'PhotoFile', 'Photos', 'Writer', 'RemovedListings', 'Turns', 'Successors', 'Sync', 'Webhook', 'WebhookTrigger', 'Schedule', 'Numbers', 'Rents', 'Words', 'Prices', 'Mortgage', 'Particulars', 'Search', 'PostType', 'EnergyLabels', 'Limits', 'Mail', 'Enquiries', 'EnquiryForm', 'Alerts', 'AlertForm', 'Privacy', 'Sharing', 'Share', 'Badges', 'Gallery', 'Breadcrumbs', 'Similar', 'Pages', 'Map', 'Blocks', 'Duties', 'Admin', 'AdminPage', 'EnquiryPage'] as $class) {
    require __DIR__ . "/src/$class.php";
}

register_activation_hook(__FILE__, [Schedule::class, 'activate']);
register_deactivation_hook(__FILE__, [Schedule::class, 'deactivate']);
add_action('plugins_loaded', static function (): void {
    Settings::prime();
    load_plugin_textdomain('passerelle', false, basename(__DIR__) . '/languages');
    Table::prepare();
});
PostType::register();
Pages::register();
Schedule::register();
WebhookTrigger::register();
Writer::register();
StoredPhoto::register();
RemovedListings::register();
Enquiries::register();
EnquiryForm::register();
Alerts::register();
AlertForm::register();
Privacy::register();
Sharing::register();
Map::register();
Blocks::register();
if (is_admin()) {
    Admin::register();
    EnquiryPage::register();
}
if (defined('WP_CLI') && \WP_CLI) {
    require __DIR__ . '/src/Cli.php';
    \WP_CLI::add_command('passerelle', Cli::class);
}
