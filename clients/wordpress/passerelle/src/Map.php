<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** The map of a list. Loads nothing from any site until the visitor opens the map. */
final class Map
{
    /** With more listings than this, a map is not clearer than a list. */
    private const MOST = 20000;
    private const SPACE = 'passerelle/v1';

    public static function register(): void
    {
        add_action('rest_api_init', static function (): void {
            $open = ['methods' => 'GET', 'permission_callback' => '__return_true'];
            register_rest_route(self::SPACE, '/pins', $open + ['callback' => [self::class, 'pins']]);
            register_rest_route(self::SPACE, '/card', $open + ['callback' => [self::class, 'card'], 'args' => ['id' => ['type' => 'integer', 'required' => true]]]);
        });
    }

    /**
     * The container of a map, with the button that opens it; empty when no tiles are configured. @param array<string,
     * mixed> $filters
     */
    public static function html(array $filters, int $only = 0): string
    {
        $settings = Settings::all();
        $host = parse_url($settings['tiles'], PHP_URL_HOST);
        if (!is_string($host)) {
            return '';
        }
        wp_enqueue_style('passerelle');
        wp_enqueue_script('passerelle-map', plugins_url('assets/map.js', FILE), [], VERSION, true);
        $query = array_filter($filters, static fn($value): bool => $value !== null) + ($only === 0 ? [] : ['only' => $only]);
        $data = [
            'pins' => add_query_arg(array_map('rawurlencode', array_map('strval', $query)), rest_url(self::SPACE . '/pins')), 'card' => rest_url(self::SPACE . '/card'),
            'tiles' => $settings['tiles'], 'credit' => $settings['tiles_credit'], 'leaflet' => plugins_url('assets/leaflet/', FILE), 'version' => VERSION,
            'none' => __('No listing has a position.', 'passerelle'), 'failed' => __('The map could not be loaded.', 'passerelle'),
        ];
        $attributes = '';
        foreach ($data as $name => $value) {
            $attributes .= sprintf(' data-%s="%s"', $name, esc_attr($value));
        }
        return sprintf(
            '<section class="psr-map" aria-label="%s"%s hidden><p class="psr-note">%s</p><button type="button">%s</button></section>%s',
            esc_attr__('Map', 'passerelle'),
            $attributes,
            /* translators: %s: name of a server */
            esc_html(sprintf(__('The map comes from %s, which receives your IP address when the map is shown.', 'passerelle'), $host)),
            esc_html__('Show the map', 'passerelle'),
            // With scripts, the container is visible from the start, because showing it later would push the list down.
            wp_get_inline_script_tag('document.currentScript.previousElementSibling.hidden = false;')
        );
    }

    /** All listings that match the filters: post, position, and whether the position is exact. */
    public static function pins(\WP_REST_Request $request): \WP_REST_Response
    {
        global $wpdb;
        $where = 'gone_at IS NULL AND post_id > 0 AND lat IS NOT NULL';
        $where .= Search::where(Pages::filtersOf($request->get_query_params()));
        $only = (int) $request->get_param('only');
        $where .= $only === 0 ? '' : $wpdb->prepare(' AND post_id = %d', $only);
        $rows = Table::rows('SELECT post_id, lat, lon, is_exact FROM ' . Table::name() . " psr WHERE $where ORDER BY post_id LIMIT " . self::MOST, ARRAY_N);
        $degrees = static fn(array $row, int $at): float => $row[3] === '1' ? (float) $row[$at] : Position::coarse((float) $row[$at]);
        $pins = array_map(static fn(array $row): array => [(int) $row[0], $degrees($row, 1), $degrees($row, 2), (int) $row[3]], $rows);
        $response = new \WP_REST_Response($pins);
        $response->header('Cache-Control', 'public, max-age=300');
        return $response;
    }

    /** One listing, rendered as in the list. */
    public static function card(\WP_REST_Request $request): \WP_REST_Response
    {
        $postId = (int) $request->get_param('id');
        if (get_post_type($postId) !== PostType::NAME || get_post_status($postId) !== 'publish') {
            return new \WP_REST_Response(['html' => ''], 404);
        }
        ob_start();
        Pages::card($postId);
        return new \WP_REST_Response(['html' => (string) ob_get_clean()]);
    }
}
