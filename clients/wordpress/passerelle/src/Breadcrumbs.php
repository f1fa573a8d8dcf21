<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** The way from the home page to a listing: all properties, its kind of offer, its town. */
final class Breadcrumbs
{
    /** @return array<array{0: string, 1: string}> name and address; the last one is the page itself */
    public static function of(int $postId, array $listing): array
    {
        $list = (string) get_post_type_archive_link(PostType::NAME);
        $trail = [[__('Home', 'passerelle'), home_url('/')], [__('All properties', 'passerelle'), $list]];
        $filters = array_filter(['offre' => Words::offer($listing) === '' ? '' : $listing['typeTransaction'], 'ville' => $listing['ville'] ?? '']);
        $names = ['offre' => Words::offer($listing), 'ville' => $listing['ville'] ?? ''];
        $query = [];
        foreach ($filters as $name => $value) {
            $query[$name] = rawurlencode($value);
            $trail[] = [$names[$name], add_query_arg($query, $list)];
        }
        $trail[] = [Words::title($listing), (string) get_permalink($postId)];
        return $trail;
    }

    public static function html(int $postId, array $listing): string
    {
        $trail = self::of($postId, $listing);
        [$name] = array_pop($trail);
        $items = '';
        foreach ($trail as [$text, $address]) {
            $items .= sprintf('<li><a href="%s">%s</a></li>', esc_url($address), esc_html($text));
        }
        return sprintf('<nav class="psr-trail" aria-label="%s"><ol>%s<li aria-current="page">%s</li></ol></nav>', esc_attr__('You are here', 'passerelle'), $items, esc_html($name));
    }

    /** The same for search engines: https://schema.org/BreadcrumbList */
    public static function schema(int $postId, array $listing): array
    {
        $items = [];
        foreach (self::of($postId, $listing) as $place => [$name, $address]) {
            $items[] = ['@type' => 'ListItem', 'position' => $place + 1, 'name' => $name, 'item' => $address];
        }
        return ['@context' => 'https://schema.org', '@type' => 'BreadcrumbList', 'itemListElement' => $items];
    }
}
