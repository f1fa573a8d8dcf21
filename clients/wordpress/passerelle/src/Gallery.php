<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** The photos of a listing in a grid, and full-screen with its floor plans and video. Without scripts the photos are links. */
final class Gallery
{
    /** Further photos are behind a line that opens. */
    private const GRID = 9;

    public static function html(int $postId, array $listing): string
    {
        $photos = Photos::shown($postId, $listing);
        if ($photos === []) {
            return '<ul class="psr-gallery psr-of-1"><li>' . Pages::photo($listing, null, 1024) . '</li></ul>';
        }
        wp_enqueue_script('passerelle-gallery', plugins_url('assets/gallery.js', FILE), [], VERSION, true);
        $items = [];
        foreach (array_values($photos) as $place => $photo) {
            $items[] = self::item($listing, $photo, $place === 0);
        }
        $more = array_slice($items, self::GRID);
        $words = [
            'viewer' => __('Photos', 'passerelle'), 'close' => __('Close', 'passerelle'), 'previous' => __('Previous photo', 'passerelle'),
            'next' => __('Next photo', 'passerelle'),
            /* translators: 1: number of the photo on the screen, 2: number of all photos */
            'position' => __('%1$s of %2$s', 'passerelle'),
        ];
        $data = '';
        foreach ($words as $name => $text) {
            $data .= sprintf(' data-%s="%s"', $name, esc_attr($text));
        }
        return "<div class=\"psr-photos\"$data>" . self::grid(array_slice($items, 0, self::GRID))
            . ($more === [] ? '' : sprintf('<details class="psr-more"><summary>%s</summary>%s</details>', esc_html(sprintf(
                /* translators: %s: number of photos */
                _n('%s more photo', '%s more photos', count($more), 'passerelle'),
                Numbers::format(count($more))
            )), self::grid($more, '')))
            . self::beside($listing) . '</div>';
    }

    /** @param string[] $items @param string $first a class of the first photo, which is wide */
    private static function grid(array $items, string $first = ' psr-first'): string
    {
        $count = count($items);
        // Rows of four, or of three where a row of four would leave one photo alone.
        $small = $count - ($first === '' ? 0 : 1);
        return sprintf('<ul class="psr-gallery psr-of-%d%s%s">%s</ul>', min(3, $count), $first, $small % 4 === 1 && $small > 1 ? ' psr-threes' : '', implode('', $items));
    }

    private static function item(array $listing, array $photo, bool $isFirst): string
    {
        $caption = $photo['legende'] ?? '';
        return sprintf(
            '<li><a href="%s" data-slide="photo" data-caption="%s">%s%s</a></li>',
            esc_url(Photos::address($photo, 1600)),
            esc_attr($caption),
            Pages::photo($listing, array_diff_key($photo, ['legende' => 1]), $isFirst ? 1024 : 640, $isFirst ? 'fetchpriority="high"' : 'loading="lazy"'),
            $caption === '' ? '' : '<span class="psr-caption">' . esc_html($caption) . '</span>'
        );
    }

    /** Floor plans and the video, which only the full-screen view shows; the section of documents has their links. */
    private static function beside(array $listing): string
    {
        $links = '';
        foreach ($listing['plans'] ?? [] as $plan) {
            // A plan that is no picture, such as a PDF, stays a document.
            if (preg_match('/\.(?:jpe?g|png|webp|gif)$/i', (string) parse_url($plan['url'], PHP_URL_PATH)) === 1) {
                $links .= self::link($plan['url'], 'photo', $plan['titre'] ?? __('Floor plan', 'passerelle'));
            }
        }
        foreach ([['video', __('Watch the video', 'passerelle')], ['visiteVirtuelle', __('Virtual tour', 'passerelle')]] as [$field, $words]) {
            if (isset($listing[$field])) {
                $isFile = preg_match('/\.(?:mp4|webm)$/i', (string) parse_url($listing[$field], PHP_URL_PATH)) === 1;
                $links .= self::link($listing[$field], $isFile ? 'video' : 'link', $words);
            }
        }
        return $links === '' ? '' : "<p hidden>$links</p>";
    }

    private static function link(string $url, string $kind, string $caption): string
    {
        $url = esc_url($url, ['http', 'https']);
        return $url === '' ? '' : sprintf('<a href="%s" data-slide="%s" data-caption="%s" rel="noopener nofollow"></a>', $url, $kind, esc_attr($caption));
    }
}
