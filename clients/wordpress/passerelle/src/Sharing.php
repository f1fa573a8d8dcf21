<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/**
 * Metadata of a page for search engines and social networks. If Yoast or Rank Math is active, that plugin prints the
 * metadata with the listing's values.
 */
final class Sharing
{
    private const WIDTH = 1024;
    private const DESCRIPTION = 160;
    private const IMAGES = 'passerelle-images';
    /** The maximum number of listings in the image sitemap: search engines accept no more per file. */
    private const MOST = 50000;

    public static function register(): void
    {
        add_action('wp_head', [self::class, 'head'], 2);
        add_filter('wp_robots', [self::class, 'robots']);
        add_filter('robots_txt', [self::class, 'robotsTxt'], 10, 2);
        add_action('template_redirect', [self::class, 'images'], 2);
        // Yoast.
        add_filter('wpseo_robots', static fn($robots) => self::isFiltered() ? 'noindex, follow' : $robots);
        add_filter('wpseo_metadesc', [self::class, 'description']);
        add_filter('wpseo_opengraph_desc', [self::class, 'description']);
        add_action('wpseo_add_opengraph_images', static function ($container): void {
            $image = self::image();
            if ($image !== [] && is_object($container) && method_exists($container, 'add_image')) {
                $container->add_image(['url' => $image[0], 'width' => $image[1], 'height' => $image[2]]);
            }
        });
        // Rank Math.
        add_filter('rank_math/frontend/robots', static fn($robots) => self::isFiltered() ? ['index' => 'noindex', 'follow' => 'follow'] : $robots);
        add_filter('rank_math/frontend/description', [self::class, 'description']);
        foreach (['facebook', 'twitter'] as $network) {
            add_filter("rank_math/opengraph/$network/image", static fn($image) => self::image()[0] ?? $image);
        }
    }

    public static function head(): void
    {
        if (self::isSaidByOthers()) {
            return;
        }
        if (is_post_type_archive(PostType::NAME)) {
            // A filtered list has the canonical address of the whole list.
            $page = self::isFiltered() ? 1 : max(1, (int) get_query_var('paged'));
            $address = (string) get_post_type_archive_link(PostType::NAME);
            if ($page > 1) {
                $address = get_option('permalink_structure') ? user_trailingslashit(trailingslashit($address) . "page/$page") : add_query_arg('paged', $page, $address);
            }
            printf("<link rel=\"canonical\" href=\"%s\">\n", esc_url($address));
        }
        $listing = self::listing();
        if ($listing === []) {
            return;
        }
        $description = self::description('');
        $image = self::image();
        $tags = [
            'og:type' => 'website', 'og:site_name' => get_bloginfo('name'), 'og:locale' => get_locale(), 'og:title' => Words::title($listing),
            'og:description' => $description, 'og:url' => (string) get_permalink(),
        ] + ($image === [] ? [] : ['og:image' => $image[0]] + array_filter(['og:image:width' => $image[1], 'og:image:height' => $image[2]]) + ['og:image:alt' => Words::title($listing)]);
        printf("<meta name=\"description\" content=\"%s\">\n", esc_attr($description));
        foreach ($tags as $name => $value) {
            printf("<meta property=\"%s\" content=\"%s\">\n", esc_attr($name), $name === 'og:image' || $name === 'og:url' ? esc_url((string) $value) : esc_attr((string) $value));
        }
        printf("<meta name=\"twitter:card\" content=\"%s\">\n", $image === [] ? 'summary' : 'summary_large_image');
    }

    /** Prevents search engines from indexing filtered lists, and the pages of removed listings. */
    public static function robots(array $robots): array
    {
        $isGone = is_singular(PostType::NAME) && PostType::isGone((int) get_queried_object_id());
        return self::isFiltered() || $isGone ? ['noindex' => true, 'follow' => true] + $robots : $robots;
    }

    /** @param mixed $given the text that the page's editor entered; it has priority */
    public static function description($given): string
    {
        $listing = self::listing();
        if ($listing === [] || (is_string($given) && trim($given) !== '' && self::isSaidByOthers())) {
            return is_string($given) ? $given : '';
        }
        $parts = array_filter(array_merge([Words::offer($listing), Words::place($listing), Words::price($listing)], Words::sizes($listing)));
        $text = implode(' · ', $parts) . '. ' . preg_replace('/\s+/u', ' ', $listing['commentaires'] ?? '');
        return mb_strlen($text) <= self::DESCRIPTION ? trim($text, ' .') : preg_replace('/\s+\S*$/u', '', mb_substr($text, 0, self::DESCRIPTION - 1)) . '…';
    }

    /**
     * Adds the image sitemap to robots.txt, unless the site is hidden from search engines. @param bool|string $isPublic
     */
    public static function robotsTxt(string $text, $isPublic): string
    {
        return $isPublic ? $text . "\nSitemap: " . add_query_arg(self::IMAGES, '1', home_url('/')) . "\n" : $text;
    }

    /** The sitemap of listings with their photos: WordPress's own sitemaps do not contain photos. */
    public static function images(): void
    {
        if (!isset($_GET[self::IMAGES]) || !get_option('blog_public')) { // phpcs:ignore -- it only shows
            return;
        }
        header('Content-Type: application/xml; charset=UTF-8');
        header('X-Robots-Tag: noindex');
        echo '<?xml version="1.0" encoding="UTF-8"?>' . "\n" . '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">' . "\n";
        $ids = array_map('intval', array_column(Table::rows('SELECT post_id FROM ' . Table::name() . ' WHERE gone_at IS NULL AND post_id > 0 ORDER BY post_id LIMIT ' . self::MOST), 'post_id'));
        foreach (array_chunk($ids, 200) as $some) {
            _prime_post_caches($some, false, true);
            Photos::prime($some);
            foreach ($some as $postId) {
                $photos = '';
                foreach (array_slice(Photos::shown($postId, PostType::listing($postId)), 0, 10) as $photo) {
                    $photos .= '<image:image><image:loc>' . esc_xml(esc_url_raw(Photos::address($photo, self::WIDTH))) . '</image:loc></image:image>';
                }
                printf("<url><loc>%s</loc>%s</url>\n", esc_xml((string) get_permalink($postId)), $photos); // phpcs:ignore -- escaped
            }
            wp_cache_flush_runtime();
        }
        echo "</urlset>\n";
        exit;
    }

    private static function isFiltered(): bool
    {
        if (!is_post_type_archive(PostType::NAME)) {
            return false;
        }
        $filters = Pages::filters();
        return $filters['tri'] !== 'recent' || array_filter(array_diff_key($filters, ['tri' => 1]), static fn($value): bool => $value !== null) !== [];
    }

    private static function isSaidByOthers(): bool
    {
        return defined('WPSEO_VERSION') || defined('RANK_MATH_VERSION') || defined('AIOSEO_VERSION') || defined('SEOPRESS_VERSION');
    }

    private static function listing(): array
    {
        return is_singular(PostType::NAME) ? PostType::listing((int) get_queried_object_id()) : [];
    }

    /** The first photo, for link previews. @return array{0?: string, 1?: int, 2?: int} address, width, height */
    private static function image(): array
    {
        $photo = Photos::shown((int) get_queried_object_id(), self::listing())[0] ?? null;
        if ($photo === null) {
            return [];
        }
        [$width, $height] = [(int) ($photo['largeur'] ?? 0), (int) ($photo['hauteur'] ?? 0)];
        $factor = $width > self::WIDTH ? self::WIDTH / $width : 1;
        return [Photos::address($photo, self::WIDTH), (int) round($width * $factor), (int) round($height * $factor)];
    }
}
