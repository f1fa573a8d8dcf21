<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** Handles listings that are missing from the complete list. */
final class RemovedListings
{
    public const META = '_passerelle_gone';
    private const DELETED_AFTER_DAYS = 30;

    private string $gateway;
    private string $way;

    public function __construct(string $gateway, array $settings)
    {
        $this->gateway = $gateway;
        $this->way = $settings['gone'];
    }

    /** Turns the page into a draft, or keeps it with the first photo and a notice that the property is unavailable. */
    public function take(string $key): void
    {
        $postId = (int) Table::announce($this->gateway, $key)['post_id'];
        Writer::$isWriting = true;
        try {
            foreach ($postId === 0 ? [] : Languages::posts($postId) as $id) {
                if ($this->way === 'keep') {
                    update_post_meta($id, self::META, '1');
                } elseif (get_post_status($id) === 'publish') {
                    wp_update_post(['ID' => $id, 'post_status' => 'draft']);
                }
            }
            if ($this->way === 'keep' && $postId !== 0) {
                Photos::keepFirst($postId);
            }
        } finally {
            Writer::$isWriting = false;
        }
        Table::update($this->gateway, $key, ['gone_at' => current_time('mysql', true)]);
    }

    /**
     * Deletes drafts of listings that were removed a month ago, with their photos. @return int the number of deleted
     * listings
     */
    public function deleteExpired(callable $mayGoOn): int
    {
        global $wpdb;
        $due = Table::rows($wpdb->prepare('SELECT aff_id, post_id FROM ' . Table::name() . ' WHERE gateway = %s AND gone_at < %s', $this->gateway, self::expireBefore()));
        $deleted = 0;
        foreach ($due as ['aff_id' => $key, 'post_id' => $postId]) {
            // The owner chose to keep published pages for visitors and search engines.
            if (get_post_status((int) $postId) === 'publish') {
                continue;
            }
            if (!$mayGoOn()) {
                break;
            }
            self::delete($this->gateway, $key, (int) $postId);
            $deleted += 1;
        }
        return $deleted;
    }

    /** Drafts of listings that were removed before this time are deleted. */
    public static function expireBefore(): string
    {
        return gmdate('Y-m-d H:i:s', time() - self::DELETED_AFTER_DAYS * DAY_IN_SECONDS);
    }

    /** Deletes all listings of a gateway. The caller holds the lock. @return int how many remain */
    public static function deleteAll(string $gateway, callable $mayGoOn): int
    {
        global $wpdb;
        Writer::recover($gateway);
        foreach (Table::rows($wpdb->prepare('SELECT aff_id, post_id FROM ' . Table::name() . ' WHERE gateway = %s', $gateway)) as $row) {
            if (!$mayGoOn()) {
                break;
            }
            self::delete($gateway, $row['aff_id'], (int) $row['post_id']);
        }
        return Table::count($gateway);
    }

    /** Deletes the row last, because the row records unfinished deletions. */
    public static function delete(string $gateway, string $key, int $postId): void
    {
        $wasWriting = Writer::$isWriting;
        Writer::$isWriting = true;
        try {
            $replacedBy = Table::find($gateway, $key)['replaced_by'] ?? '';
            foreach ($postId === 0 ? [] : Languages::posts($postId) as $id) {
                self::remember($id, $gateway, $replacedBy);
            }
            self::deletePosts($postId);
        } finally {
            Writer::$isWriting = $wasWriting;
        }
        Successors::passOn($gateway, $key);
        Table::forget($gateway, $key);
    }

    /** Deletes a post with its photos and its pages in other languages, the post itself last. */
    public static function deletePosts(int $postId): void
    {
        Photos::deleteAll($postId);
        foreach ($postId === 0 ? [] : array_reverse(Languages::posts($postId)) as $id) {
            wp_delete_post($id, true);
        }
    }

    public static function register(): void
    {
        // Runs before WordPress's own redirect, which would lead to another listing with a similar address.
        add_action('template_redirect', [self::class, 'answer'], 1);
        add_filter('wp_sitemaps_posts_query_args', [self::class, 'sitemap'], 10, 2);
    }

    /**
     * Leads from a removed listing to the listing that replaces it. Without one it answers 410 instead of 404, so that
     * clients do not request the address again.
     */
    public static function answer(): void
    {
        [$type, $name] = [get_query_var('post_type'), get_query_var('name')];
        $former = is_404() && is_string($type) && is_string($name) && $name !== '' ? self::former($type, $name) : self::kept();
        if ($former === null) {
            return;
        }
        $successor = Successors::address($former['gateway'], $former['aff_id'], (int) $former['page']);
        if ($successor !== '' && wp_safe_redirect($successor, 301)) {
            exit;
        }
        if (is_404()) {
            status_header(410);
            add_filter('do_redirect_guess_404_permalink', '__return_false');
            remove_action('template_redirect', 'redirect_canonical');
        }
    }

    /** Omits kept pages of removed listings from the sitemap, so that only visitors with the address find them. */
    public static function sitemap(array $query, string $type): array
    {
        if (in_array($type, array_merge([PostType::NAME], Targets::get(Settings::all()['target'])->postTypes()), true)) {
            $query['meta_query'][] = ['key' => self::META, 'compare' => 'NOT EXISTS'];
        }
        return $query;
    }

    /** The removed listing of an address, or the listing that replaces it. @return array{gateway: string, aff_id: string, page: string}|null */
    private static function former(string $type, string $name): ?array
    {
        global $wpdb;
        return Table::rows($wpdb->prepare(
            "SELECT t.gateway, t.aff_id, p.ID AS page FROM $wpdb->posts p
             JOIN " . Table::name() . " t ON t.post_id = IF(p.post_parent = 0, p.ID, p.post_parent)
             WHERE p.post_type = %s AND p.post_name = %s AND t.gone_at IS NOT NULL",
            $type,
            $name
        ))[0] ?? Table::rows($wpdb->prepare('SELECT gateway, replaced_by AS aff_id, 0 AS page FROM ' . Table::buried() . ' WHERE address = %s', self::addressOf($type, $name)))[0] ?? null;
    }

    /** The removed listing whose page is kept and shown now. @return array{gateway: string, aff_id: string, page: string}|null */
    private static function kept(): ?array
    {
        $id = is_singular() ? get_queried_object_id() : 0;
        if ($id === 0 || get_post_meta($id, self::META, true) !== '1') {
            return null;
        }
        $row = Table::ofPost(wp_get_post_parent_id($id) ?: $id);
        return $row === null ? null : ['page' => (string) $id] + $row;
    }

    private static function remember(int $postId, string $gateway, string $replacedBy): void
    {
        global $wpdb;
        $post = get_post($postId);
        $name = $post === null ? '' : preg_replace('/__trashed(-\d+)?$/', '', $post->post_name);
        if ($name !== '') {
            $wpdb->replace(Table::buried(), [
                'address' => self::addressOf($post->post_type, $name), 'gone_at' => current_time('mysql', true),
                'gateway' => $gateway, 'replaced_by' => $replacedBy,
            ]);
        }
    }

    private static function addressOf(string $type, string $name): string
    {
        return md5("$type/$name");
    }

    /**
     * Even a verified list can differ from what the owner expects. A mass removal waits for a person, unless an
     * operator of the gateway has approved it.
     */
    public static function mayRemove(\Passerelle\Client $api, array $gone, int $live, array $state, string $snapshot): bool
    {
        if (!self::isMassRemoval(count($gone), $live) || $state['approved'] === $snapshot) {
            return true;
        }
        try {
            $changes = $api->changes($state['since'], $snapshot, 20000)['changes'] ?? [];
        } catch (\Passerelle\Expired $tooOld) {
            $changes = [];
        }
        $approved = [];
        foreach ($changes as $change) {
            if ($change['change'] === 'removed' && ($change['approved'] ?? false) === true) {
                $approved['=' . Table::keyOf($change['affId'])] = true;
            }
        }
        return !self::isMassRemoval(count(array_diff_key(array_flip($gone), $approved)), $live);
    }

    /**
     * A mass removal removes all listings, more than 5 and more than 20 %, or more than half of at least 4. The gateway
     * has the same limits. The client's method is not used, because another plugin may have loaded an older client.
     */
    private static function isMassRemoval(int $removed, int $of): bool
    {
        return $removed > 0 && ($removed >= $of || ($removed > 5 && $removed > $of * 0.2) || ($of >= 4 && $removed > $of / 2));
    }
}
