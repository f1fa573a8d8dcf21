<?php
/** The page of a listing. A theme can replace it with passerelle/single.php. */

declare(strict_types=1);

namespace Passerelle\WordPress;

if (!defined('ABSPATH')) {
    exit;
}

Pages::frame(static function (): void {
    the_post();
    $postId = (int) get_the_ID();
    $listing = PostType::listing($postId);
    $isGone = PostType::isGone($postId);
    $kind = implode(' · ', array_filter([Words::offer($listing), Words::kind($listing)]));
    $phone = $listing['negoTel'] ?? $listing['agenceTel'] ?? null;
    // If the certificate's country is unknown, shows the available values.
    $energy = EnergyLabels::html($listing);
    if ($energy === '' && !in_array($listing['typeCode'] ?? '', ['terrain', 'parking'], true)) {
        $energy = Pages::energy($listing);
    }
    ?>
    <main class="psr psr-single" id="primary"><article>
        <?php echo Breadcrumbs::html($postId, $listing); // phpcs:ignore -- escaped there ?>
        <?php if ($isGone) : ?><p class="psr-gone" role="status"><?php esc_html_e('This property is no longer available.', 'passerelle'); ?></p><?php endif; ?>
        <?php echo Gallery::html($postId, $listing); // phpcs:ignore -- escaped there ?>
        <div class="psr-beside"><div>
            <header class="psr-head">
                <p class="psr-kind"><?php echo esc_html($kind); ?></p>
                <?php echo $isGone ? '' : Badges::html($listing); // phpcs:ignore -- escaped there ?>
                <h1><?php echo esc_html(Words::title($listing)); ?></h1>
                <p class="psr-place"><?php echo esc_html(Words::place($listing)); ?></p>
                <?php if (!$isGone) : ?>
                    <p class="psr-price"><?php echo esc_html(Words::price($listing)); ?></p>
                    <?php if (Words::priceNote($listing) !== '') : ?><p class="psr-note"><?php echo esc_html(Words::priceNote($listing)); ?></p><?php endif; ?>
                    <?php echo Mortgage::html($listing); // phpcs:ignore -- escaped there ?>
                <?php endif; ?>
                <p class="psr-facts"><?php foreach (Words::sizes($listing) as $size) : ?><span><?php echo esc_html($size); ?></span> <?php endforeach; ?></p>
                <?php if (!$isGone) : ?>
                    <p class="psr-row"><?php echo Share::heart($postId, $listing) . Share::favourites(); // phpcs:ignore -- escaped there ?></p>
                    <?php echo Share::links($postId, $listing); // phpcs:ignore -- escaped there ?>
                <?php endif; ?>
            </header>
            <?php if (isset($listing['commentaires'])) : ?>
                <section><h2><?php esc_html_e('Description', 'passerelle'); ?></h2><?php echo wp_kses_post(Writer::html($listing['commentaires'])); ?></section>
            <?php endif; ?>
            <?php if (!$isGone && isset($listing['latitude'], $listing['longitude'])) : ?><?php echo Map::html([], $postId); // phpcs:ignore -- escaped there ?><?php endif; ?>
            <?php if ($energy !== '') : ?>
                <section class="psr-particulars"><h2><?php esc_html_e('Energy performance', 'passerelle'); ?></h2><?php echo $energy; // phpcs:ignore -- escaped there ?></section>
            <?php endif; ?>
            <?php foreach (Words::particulars($listing) as $title => $rows) : ?>
                <section class="psr-particulars"><h2><?php echo esc_html($title); ?></h2><dl>
                    <?php foreach ($rows as $row) : ?><div><dt><?php echo esc_html($row[0]); ?></dt><dd><?php
                        if (($row[2] ?? '') !== '') : ?><a href="<?php echo esc_url($row[2], ['http', 'https']); ?>" rel="noopener nofollow"><?php echo esc_html($row[1]); ?></a><?php else : echo esc_html($row[1]); endif;
                    ?></dd></div><?php endforeach; ?></dl></section>
            <?php endforeach; ?>
            <?php $asksForRisks = Words::isFrench($listing) && !in_array('fr-georisques', array_column($listing['mentions'] ?? [], 'code'), true); ?>
            <?php if ($asksForRisks || ($listing['mentions'] ?? []) !== []) : ?>
                <section class="psr-legal"><h2><?php esc_html_e('Legal information', 'passerelle'); ?></h2>
                <?php echo EnergyLabels::mentions($listing); // phpcs:ignore -- escaped there ?>
                <?php if ($asksForRisks) : ?><p class="psr-risks"><?php
                    /* translators: %s: a link */
                    echo wp_kses_post(sprintf(__('Information on the risks to which this property is exposed is at %s.', 'passerelle'), '<a href="https://www.georisques.gouv.fr">www.georisques.gouv.fr</a>'));
                ?></p><?php endif; ?></section>
            <?php endif; ?>
        </div>
        <?php if (!$isGone) : ?>
            <aside class="psr-contact"><h2><?php esc_html_e('Contact', 'passerelle'); ?></h2>
                <p><?php echo esc_html(implode(', ', array_filter([$listing['negoNom'] ?? '', $listing['agenceNom'] ?? '']))); ?></p>
                <?php if (isset($listing['affNum'])) : ?><p class="psr-note"><?php echo esc_html(__('Reference', 'passerelle') . ' ' . $listing['affNum']); ?></p><?php endif; ?>
                <?php if ($phone !== null) : ?><a class="psr-button" href="<?php echo esc_url('tel:' . preg_replace('/[^+\d]/', '', $phone)); ?>"><?php echo esc_html($phone); ?></a><?php endif; ?>
                <?php if (isset($listing['negoNom'])) : ?><p><a class="psr-button psr-plain" href="<?php echo esc_url(add_query_arg('agent', rawurlencode($listing['negoNom']), (string) get_post_type_archive_link(PostType::NAME))); ?>"><?php
                    /* translators: %s: name of an agent */
                    echo esc_html(sprintf(__('Properties of %s', 'passerelle'), $listing['negoNom']));
                ?></a></p><?php endif; ?>
                <?php echo EnquiryForm::html(); // phpcs:ignore -- escaped there ?>
            </aside>
        <?php endif; ?>
        </div>
        <?php echo Similar::html($postId); // phpcs:ignore -- escaped there ?>
        <?php if (!$isGone) : ?>
            <p class="psr-callbar"><?php if ($phone !== null) : ?><a class="psr-button" href="<?php echo esc_url('tel:' . preg_replace('/[^+\d]/', '', $phone)); ?>"><?php esc_html_e('Call', 'passerelle'); ?></a><?php endif; ?><a class="psr-button psr-plain" href="#psr-enquiry"><?php esc_html_e('Write', 'passerelle'); ?></a></p>
        <?php endif; ?>
    </article></main>
    <?php
});
