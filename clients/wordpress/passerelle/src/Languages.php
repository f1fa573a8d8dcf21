<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/**
 * With Polylang or WPML, creates a page for each further language of a listing. Otherwise the site's language decides
 * which texts a page shows.
 */
final class Languages
{
    private const MARK = 'passerelle:';
    private string $first;

    /** @param string $first the language of the list, ISO 639-1; if it is empty, the site's language */
    public function __construct(string $first)
    {
        $this->first = $first === '' ? substr(get_locale(), 0, 2) : $first;
    }

    /** The ids of a post and of its pages in other languages, starting with the post. @return int[] */
    public static function posts(int $postId): array
    {
        return array_merge([$postId], array_values(self::others($postId)));
    }

    /** The page of a listing in the language of another listing's page; its first page if it has none in this language. */
    public static function counterpart(int $otherId, int $postId): int
    {
        $mark = (string) get_post_field('post_content_filtered', $otherId);
        $isFirst = $otherId === 0 || strpos($mark, self::MARK) !== 0;
        return $isFirst ? $postId : self::others($postId)[substr($mark, strlen(self::MARK))] ?? $postId;
    }

    /** @return array<string, int> post ids by language */
    private static function others(int $postId): array
    {
        global $wpdb;
        $rows = Table::rows($wpdb->prepare(
            "SELECT ID, post_content_filtered FROM $wpdb->posts WHERE post_parent = %d AND post_type <> 'attachment' AND post_content_filtered LIKE %s",
            $postId,
            self::MARK . '%'
        ));
        return array_map('intval', array_column(array_map(
            static fn(array $row): array => ['id' => $row['ID'], 'language' => substr($row['post_content_filtered'], strlen(self::MARK))],
            $rows
        ), 'id', 'language'));
    }

    public function write(int $postId, array $listing): void
    {
        $active = self::active();
        if ($active === []) {
            return;
        }
        $posts = [$this->first => $postId];
        $others = self::others($postId);
        foreach ($listing['textes'] ?? [] as $language => $texts) {
            if (in_array($language, $active, true) && $language !== $this->first) {
                $posts[$language] = $this->put($postId, $language, $others[$language] ?? 0, array_merge($listing, $texts));
            }
        }
        foreach (array_diff_key($others, $posts) as $id) {
            wp_delete_post($id, true);
        }
        self::tell($posts);
        // A run writes thousands of pages.
        array_map('clean_post_cache', $posts);
    }

    private function put(int $postId, string $language, int $id, array $listing): int
    {
        $post = get_post($postId);
        $fields = [
            'ID' => $id, 'post_type' => $post->post_type, 'post_status' => 'publish', 'post_parent' => $postId,
            'post_title' => Writer::inert(Words::title($listing)), 'post_content' => Writer::html($listing['commentaires'] ?? ''),
            'post_content_filtered' => self::MARK . $language, 'comment_status' => 'closed', 'ping_status' => 'closed',
        ] + ($id === 0 ? ['post_name' => sanitize_title(Words::title($listing) . ' ' . ($listing['affNum'] ?? $listing['affId']) . " $language"), 'post_date' => $post->post_date] : []);
        $done = $id === 0 ? wp_insert_post(wp_slash($fields), true) : wp_update_post(wp_slash($fields), true);
        if (is_wp_error($done)) {
            throw new \RuntimeException($done->get_error_message());
        }
        unset($listing['textes']);
        update_post_meta($done, Writer::META, wp_slash($listing));
        delete_post_meta($done, RemovedListings::META);
        return $done;
    }

    /** The languages of the site, if a plugin manages them. @return string[] */
    private static function active(): array
    {
        if (function_exists('pll_languages_list') && function_exists('pll_set_post_language')) {
            return pll_languages_list(['fields' => 'slug']);
        }
        $languages = apply_filters('wpml_active_languages', null, ['skip_missing' => 0]);
        return is_array($languages) ? array_map('strval', array_keys($languages)) : [];
    }

    /** Informs the language plugin. @param array<string, int> $posts by language */
    private static function tell(array $posts): void
    {
        if (function_exists('pll_set_post_language')) {
            foreach ($posts as $language => $id) {
                pll_set_post_language($id, $language);
            }
            pll_save_post_translations($posts);
            return;
        }
        $first = (string) array_key_first($posts);
        $type = apply_filters('wpml_element_type', get_post_type($posts[$first]));
        $group = apply_filters('wpml_element_trid', null, $posts[$first], $type);
        foreach ($posts as $language => $id) {
            do_action('wpml_set_element_language_details', [
                'element_id' => $id, 'element_type' => $type, 'trid' => $group, 'language_code' => $language,
                'source_language_code' => $language === $first ? null : $first,
            ]);
            $group = $group ?? apply_filters('wpml_element_trid', null, $id, $type);
        }
    }

    /** The listing with its texts in the language of the page. */
    public static function inLocale(array $listing): array
    {
        $texts = $listing['textes'][substr(determine_locale(), 0, 2)] ?? null;
        return is_array($texts) ? array_merge($listing, $texts) : $listing;
    }
}
