<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** Parts of the pages for use anywhere: as blocks, and as shortcodes for Elementor, widgets and older editors. */
final class Blocks
{
    private const MOST = 48;

    public static function register(): void
    {
        add_action('init', static function (): void {
            wp_register_script('passerelle-blocks', plugins_url('assets/blocks.js', FILE), ['wp-blocks', 'wp-element', 'wp-block-editor', 'wp-components', 'wp-server-side-render'], VERSION, true);
            wp_localize_script('passerelle-blocks', 'passerelleBlocks', ['blocks' => array_values(array_map(
                static fn(string $name, array $block): array => ['name' => "passerelle/$name", 'title' => $block[0], 'attributes' => $block[1]],
                array_keys(self::all()),
                self::all()
            ))]);
            foreach (self::all() as $name => [, $attributes, $render]) {
                $defaults = array_map(static fn(string $label): string => '', $attributes);
                add_shortcode("passerelle_$name", static fn($given): string => self::frame($render(shortcode_atts($defaults, is_array($given) ? $given : []))));
                register_block_type("passerelle/$name", [
                    'api_version' => 2, 'editor_script' => 'passerelle-blocks', 'editor_style' => 'passerelle',
                    'attributes' => array_map(static fn(string $label): array => ['type' => 'string', 'default' => ''], $attributes),
                    'render_callback' => static fn(array $given): string => self::frame($render($given + $defaults)),
                ]);
            }
        });
    }

    /**
     * @return array<string, array{0: string, 1: array<string, string>, 2: callable}> title, attributes with their
     * labels, and the function that renders it
     */
    private static function all(): array
    {
        $filters = [
            'offre' => __('Offer', 'passerelle'), 'bien' => __('Property', 'passerelle'), 'ville' => __('Town', 'passerelle'), 'prix_min' => __('Price from', 'passerelle'),
            'prix_max' => __('Price to', 'passerelle'), 'devise' => __('Currency', 'passerelle'), 'surface_min' => __('Area from (m²)', 'passerelle'), 'tri' => __('Order', 'passerelle'),
            'chambres_min' => __('Bedrooms from', 'passerelle'), 'pieces_min' => __('Rooms from', 'passerelle'), 'terrain_min' => __('Land from (m²)', 'passerelle'),
            'dpe' => __('Energy class from', 'passerelle'), 'equipements' => __('Features', 'passerelle'), 'mots' => __('Reference or words', 'passerelle'),
        ];
        $of = ['id' => __('Number of the listing; empty on its own page', 'passerelle')];
        return [
            'favourites' => [__('Link to the favourites', 'passerelle'), [], static fn(array $given): string => Share::favourites()],
            'list' => [__('Listings', 'passerelle'), $filters + ['nombre' => __('How many', 'passerelle')], self::understood([self::class, 'list'])],
            'search' => [__('Search for listings', 'passerelle'), ['page' => __('Address of the results; empty: the list', 'passerelle')], [self::class, 'search']],
            'map' => [__('Map of the listings', 'passerelle'), $filters, self::understood(static fn(array $given): string => Map::html(self::filters($given)))],
            'listing' => [__('Part of a listing', 'passerelle'), $of + ['part' => __('card, gallery, price, facts, description, energy, map, share or enquiry', 'passerelle')], [self::class, 'listing']],
            'alert' => [__('Save a search', 'passerelle'), $filters, self::understood(static fn(array $given): string => AlertForm::html(self::filters($given)))],
            'agent' => [__('Agent of a listing', 'passerelle'), $of, [self::class, 'agent']],
        ];
    }

    /** Shows nothing for an unknown word, which would show every listing. Explains this to the page's editors. */
    private static function understood(callable $render): callable
    {
        return static function (array $given) use ($render): string {
            $own = array_intersect_key(Pages::filtersOf($given), $given);
            $unknown = array_filter(array_intersect_key($given, $own), static fn(string $value, string $name): bool => trim($value) !== '' && ($own[$name] === null || ($name === 'tri' && $own[$name] !== strtolower(trim($value)))), ARRAY_FILTER_USE_BOTH);
            if ($unknown === []) {
                return $render($given);
            }
            $named = implode(', ', array_map(static fn(string $name, string $value): string => "$name=\"$value\"", array_keys($unknown), $unknown));
            /* translators: %s: attributes of a block or a shortcode, with their values */
            return current_user_can('edit_posts') ? '<p class="psr-note">' . esc_html(sprintf(__('Nothing is shown, because this word is unknown: %s', 'passerelle'), $named)) . '</p>' : '';
        };
    }

    private static function frame(string $html): string
    {
        if ($html === '') {
            return '';
        }
        wp_enqueue_style('passerelle');
        // WordPress runs shortcodes that it finds in the output of a block or of Elementor.
        return '<div class="psr psr-part">' . Writer::inert($html) . '</div>';
    }

    private static function list(array $given): string
    {
        $count = max(1, min(self::MOST, (int) ($given['nombre'] ?: 6)));
        $query = new \WP_Query(['post_type' => PostType::NAME, 'post_status' => 'publish', 'posts_per_page' => $count, 'no_found_rows' => true, 'passerelle' => self::filters($given)]);
        if ($query->posts === []) {
            return '<p>' . esc_html__('No listing fits.', 'passerelle') . '</p>';
        }
        Photos::prime(wp_list_pluck($query->posts, 'ID'));
        ob_start();
        foreach ($query->posts as $post) {
            Pages::card((int) $post->ID);
        }
        return '<ul class="psr-cards">' . ob_get_clean() . '</ul>';
    }

    /** The block's own values; where it has none, the visitor's filters. @return array<string, mixed> */
    private static function filters(array $given): array
    {
        $own = Pages::filtersOf($given);
        $asked = Pages::filters();
        $filters = array_map(static fn(string $name) => $own[$name] ?? $asked[$name], array_combine(array_keys($own), array_keys($own)));
        return ['tri' => $given['tri'] === '' ? $asked['tri'] : $own['tri']] + $filters;
    }

    private static function search(array $given): string
    {
        $address = esc_url_raw($given['page']);
        ob_start();
        Pages::searchForm($address === '' ? (string) get_post_type_archive_link(PostType::NAME) : $address);
        return (string) ob_get_clean();
    }

    private static function listing(array $given): string
    {
        [$postId, $listing] = self::find($given['id']);
        if ($listing === []) {
            return '';
        }
        switch ($given['part']) {
            case 'gallery':
                return Photos::shown($postId, $listing) === [] ? '' : Gallery::html($postId, $listing);
            case 'price':
                return '<p class="psr-price">' . esc_html(Words::price($listing)) . '</p><p class="psr-note">' . esc_html(Words::priceNote($listing)) . '</p>';
            case 'facts':
                return '<p class="psr-facts">' . implode(' ', array_map(static fn(string $size): string => '<span>' . esc_html($size) . '</span>', Words::sizes($listing))) . '</p>';
            case 'description':
                return wp_kses_post(Writer::html($listing['commentaires'] ?? ''));
            case 'energy':
                return EnergyLabels::html($listing) ?: Pages::energy($listing);
            case 'map':
                return Map::html([], $postId);
            case 'share':
                return PostType::isGone($postId) ? '' : Share::links($postId, $listing);
            case 'enquiry':
                return PostType::isGone($postId) ? '' : EnquiryForm::html($postId);
            default:
                ob_start();
                Pages::card($postId);
                return '<ul class="psr-cards">' . ob_get_clean() . '</ul>';
        }
    }

    private static function agent(array $given): string
    {
        [, $listing] = self::find($given['id']);
        $name = implode(', ', array_filter([$listing['negoNom'] ?? '', $listing['agenceNom'] ?? '']));
        $phone = $listing['negoTel'] ?? $listing['agenceTel'] ?? '';
        $call = $phone === '' ? '' : sprintf('<a class="psr-button" href="%s">%s</a>', esc_url('tel:' . preg_replace('/[^+\d]/', '', $phone)), esc_html($phone));
        return $name . $call === '' ? '' : '<aside class="psr-contact"><p>' . esc_html($name) . "</p>$call</aside>";
    }

    /**
     * @return array{0: int, 1: array} post and listing with this identifier or reference; if empty, those of the page
     */
    private static function find(string $id): array
    {
        global $wpdb;
        $postId = is_singular(PostType::NAME) ? (int) get_queried_object_id() : 0;
        if ($id !== '') {
            $rows = Table::rows($wpdb->prepare('SELECT post_id FROM ' . Table::name() . ' WHERE aff_id = %s AND gone_at IS NULL LIMIT 1', Table::keyOf($id)));
            $postId = (int) ($rows[0]['post_id'] ?? 0);
        }
        return [$postId, $postId === 0 ? [] : PostType::listing($postId)];
    }
}
