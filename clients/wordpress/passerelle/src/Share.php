<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** Favourites, which stay in the visitor's browser, and links to share a listing, without third-party scripts. */
final class Share
{
    /** Loads the script of the buttons. Without scripts the buttons stay hidden, and the links remain visible. */
    public static function script(): void
    {
        wp_enqueue_script('passerelle-visitors', plugins_url('assets/visitors.js', FILE), [], VERSION, true);
    }

    /** The button that marks a listing as a favourite. */
    public static function heart(int $postId, array $listing): string
    {
        self::script();
        return sprintf(
            '<button type="button" class="psr-heart" data-id="%d" aria-pressed="false" aria-label="%s" hidden></button>',
            // Pages in other languages share the favourite of the original page.
            wp_get_post_parent_id($postId) ?: $postId,
            /* translators: %s: title of a listing */
            esc_attr(sprintf(__('Favourite: %s', 'passerelle'), Words::title($listing)))
        );
    }

    /** The link to the visitor's favourites, hidden while the visitor has none. */
    public static function favourites(): string
    {
        self::script();
        return sprintf('<a class="psr-button psr-plain psr-favourites" data-list="%s" hidden>%s (<span>0</span>)</a>', esc_url((string) get_post_type_archive_link(PostType::NAME)), esc_html__('My favourites', 'passerelle'));
    }

    public static function links(int $postId, array $listing): string
    {
        self::script();
        $address = (string) get_permalink($postId);
        $title = Words::title($listing);
        [$url, $text] = [rawurlencode($address), rawurlencode($title . "\n" . $address)];
        $links = [
            [__('E-mail', 'passerelle'), 'mailto:?subject=' . rawurlencode($title) . "&body=$text"], ['WhatsApp', "https://wa.me/?text=$text"],
            ['Facebook', "https://www.facebook.com/sharer/sharer.php?u=$url"], ['LinkedIn', "https://www.linkedin.com/sharing/share-offsite/?url=$url"],
        ];
        $items = '';
        foreach ($links as [$name, $link]) {
            $items .= sprintf('<li><a class="psr-button psr-plain" href="%s" rel="noopener nofollow">%s</a></li>', esc_url($link, ['mailto', 'https']), esc_html($name));
        }
        return sprintf(
            '<ul class="psr-share" aria-label="%s"><li hidden><button type="button" class="psr-plain psr-copy" data-address="%s" data-done="%s">%s</button></li>%s<li hidden><button type="button" class="psr-plain psr-print">%s</button></li></ul>',
            esc_attr__('Share', 'passerelle'),
            esc_url($address),
            esc_attr__('Copied', 'passerelle'),
            esc_html__('Share the link', 'passerelle'),
            $items,
            esc_html__('Print or save as PDF', 'passerelle')
        );
    }
}
