<?php
/** The page with the list of listings. A theme can replace it with passerelle/archive.php. */

declare(strict_types=1);

namespace Passerelle\WordPress;

if (!defined('ABSPATH')) {
    exit;
}

Pages::frame(static function (): void {
    global $wp_query;
    $filters = Pages::filters();
    ?>
    <main class="psr" id="primary">
        <h1><?php
            /* translators: %s: name of an agent */
            $ofAgent = $filters['agent'] === null ? __('Our properties', 'passerelle') : sprintf(__('Properties of %s', 'passerelle'), $filters['agent']);
            echo esc_html($filters['favoris'] === null ? $ofAgent : __('My favourites', 'passerelle'));
        ?></h1>
        <?php Pages::searchForm((string) get_post_type_archive_link(PostType::NAME)); ?>
        <?php $found = (int) $wp_query->found_posts; ?>
        <p class="psr-row psr-found"><span class="psr-result"><?php
            /* translators: %s: number of listings */
            echo esc_html($found === 0 ? __('No listing fits.', 'passerelle') : sprintf(_n('%s listing', '%s listings', $found, 'passerelle'), Numbers::format($found)));
        ?></span><?php echo Share::favourites(); // phpcs:ignore -- escaped there ?></p>
        <?php echo Map::html($filters); // phpcs:ignore -- escaped there ?>
        <ul class="psr-cards"><?php
            Photos::prime(wp_list_pluck($wp_query->posts, 'ID'));
            while (have_posts()) {
                the_post();
                Pages::card((int) get_the_ID(), $wp_query->current_post);
            }
        ?></ul>
        <?php echo AlertForm::html($filters); // phpcs:ignore -- escaped there ?>
        <?php the_posts_pagination(['mid_size' => 1, 'class' => 'psr-pages']); ?>
    </main>
    <?php
});
