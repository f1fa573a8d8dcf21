<?php
/** A card in a list; `$postId` is its post, `$haste` sets the loading priority of its photo. */

declare(strict_types=1);

namespace Passerelle\WordPress;

if (!defined('ABSPATH')) {
    exit;
}

$listing = PostType::listing($postId);
$photos = Photos::shown($postId, $listing);
$letter = Words::isFrench($listing) ? $listing['dpeClasse'] ?? null : null;
?>
<li class="psr-card"><a href="<?php echo esc_url((string) get_permalink($postId)); ?>">
    <span class="psr-frame"><?php echo Pages::photo($listing, $photos[0] ?? null, 640, $haste); // phpcs:ignore -- escaped there ?>
        <?php if (Words::offer($listing) !== '') : ?><span class="psr-badge psr-offer"><?php echo esc_html(Words::offer($listing)); ?></span><?php endif; ?>
        <?php if (count($photos) > 1) : ?><span class="psr-badge psr-count"><?php
            /* translators: %s: number of photos */
            echo esc_html(sprintf(_n('%s photo', '%s photos', count($photos), 'passerelle'), Numbers::format(count($photos))));
        ?></span><?php endif; ?>
        <?php echo Badges::html($listing); // phpcs:ignore -- escaped there ?></span>
    <span class="psr-words">
        <strong class="psr-price"><?php echo esc_html(Words::price($listing)); ?></strong>
        <?php if (Words::priceNote($listing) !== '') : ?><span class="psr-note"><?php echo esc_html(Words::priceNote($listing)); ?></span><?php endif; ?>
        <span class="psr-title"><?php echo esc_html(Words::title($listing)); ?></span>
        <span class="psr-place"><?php echo esc_html(Words::place($listing)); ?></span>
        <span class="psr-facts"><?php foreach (Words::sizes($listing) as $size) : ?><span><?php echo esc_html($size); ?></span> <?php endforeach; ?>
            <?php if (preg_match('/^[A-G]$/', (string) $letter) === 1) : ?><span class="psr-badge psr-dpe-<?php echo esc_attr($letter); ?>"><?php
                /* translators: %s: a letter from A to G */
                echo esc_html(sprintf(__('Energy %s', 'passerelle'), $letter));
            ?></span><?php endif; ?></span>
    </span>
</a><?php echo Share::heart($postId, $listing); // phpcs:ignore -- escaped there ?></li>
