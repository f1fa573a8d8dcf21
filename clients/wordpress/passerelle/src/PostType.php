<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** The post type of listings in WordPress. */
final class PostType
{
    public const NAME = 'passerelle_bien';

    public static function register(): void
    {
        add_action('init', [self::class, 'define']);
    }

    public static function define(): void
    {
        register_post_type(self::NAME, [
            'labels' => [
                'name' => __('Listings', 'passerelle'), 'singular_name' => __('Listing', 'passerelle'), 'menu_name' => __('Listings', 'passerelle'),
                'all_items' => __('All listings', 'passerelle'), 'edit_item' => __('Edit listing', 'passerelle'),
                'view_item' => __('View listing', 'passerelle'), 'search_items' => __('Search listings', 'passerelle'),
                'not_found' => __('No listings', 'passerelle'),
            ],
            'public' => true, 'has_archive' => true, 'menu_icon' => 'dashicons-admin-home', 'supports' => ['title', 'editor', 'thumbnail'],
            'rewrite' => ['slug' => 'annonces', 'with_front' => false], 'show_in_rest' => true, 'rest_base' => 'annonces',
            // Listings come from the agency's software and cannot be created in WordPress.
            'capabilities' => ['create_posts' => 'do_not_allow'], 'map_meta_cap' => true, 'delete_with_user' => false,
        ]);
    }

    /** The listing of a post, in the language of the page. */
    public static function listing(int $postId): array
    {
        $listing = get_post_meta($postId, Writer::META, true);
        return is_array($listing) ? Position::published(Languages::inLocale($listing)) : [];
    }

    public static function isGone(int $postId): bool
    {
        return get_post_meta($postId, RemovedListings::META, true) === '1';
    }
}
