<?php
/** The filters of a list; `$action` is the address of the list. */

declare(strict_types=1);

namespace Passerelle\WordPress;

if (!defined('ABSPATH')) {
    exit;
}

$filters = Pages::filters();
$choices = Search::choices($filters);
$choice = static function (string $name, string $label, ?string $chosen, array $counts, ?array $words): void {
    $counts += $chosen === null ? [] : [$chosen => 0];
    ?><label><?php echo esc_html($label); ?><select name="<?php echo esc_attr($name); ?>"><option value=""><?php esc_html_e('Any', 'passerelle'); ?></option>
    <?php foreach ($counts as $value => $count) : ?>
        <option value="<?php echo esc_attr((string) $value); ?>"<?php selected($chosen, (string) $value); ?>><?php echo esc_html(($words[$value] ?? $value) . ($count === null ? '' : ' (' . Numbers::format($count) . ')')); ?></option>
    <?php endforeach; ?></select></label><?php
};
$amount = static function (string $name, string $label, ?int $value): void {
    ?><label><?php echo esc_html($label); ?><input name="<?php echo esc_attr($name); ?>" inputmode="numeric" autocomplete="off" value="<?php echo esc_attr((string) $value); ?>"></label><?php
};
$box = static function (string $name, string $value, string $label, bool $isChosen): void {
    ?><label class="psr-box"><input type="checkbox" name="<?php echo esc_attr($name); ?>" value="<?php echo esc_attr($value); ?>"<?php checked($isChosen); ?>> <span><?php echo esc_html($label); ?></span></label><?php
};
$orders = ['recent' => __('Most recent', 'passerelle'), 'cheap' => __('Price, lowest first', 'passerelle'), 'dear' => __('Price, highest first', 'passerelle'), 'large' => __('Largest', 'passerelle')];
$isFiltered = array_filter(array_diff_key($filters, ['tri' => 1]), static fn($value): bool => $value !== null) !== [];
?>
<form class="psr-filters" method="get" action="<?php echo esc_url($action); ?>" role="search" aria-label="<?php esc_attr_e('Filter the listings', 'passerelle'); ?>">
    <label class="psr-opens"><input type="checkbox"> <span><?php esc_html_e('Filter the listings', 'passerelle'); ?></span></label>
    <?php
    echo Pages::hiddenFields($action); // phpcs:ignore -- escaped there
    $choice('offre', __('Offer', 'passerelle'), $filters['offre'], $choices['offer'], Words::offers());
    $choice('bien', __('Property', 'passerelle'), $filters['bien'], $choices['kind'], Words::kinds());
    if ($choices['town'] !== []) :
        $towns = $filters['ville'] === null ? [] : explode('|', $filters['ville']);
        ?><details class="psr-choice"><summary><span><?php esc_html_e('Town', 'passerelle'); ?></span><b><?php echo esc_html($towns === [] ? __('Any', 'passerelle') : implode(', ', $towns)); ?></b></summary><div class="psr-boxes"><?php
        foreach ($choices['town'] + array_fill_keys($towns, 0) as $town => $count) {
            $box('ville[]', (string) $town, "$town (" . Numbers::format($count) . ')', in_array((string) $town, $towns, true));
        }
        ?></div></details><?php
    endif;
    $amount('prix_min', __('Price from', 'passerelle'), $filters['prix_min']);
    $amount('prix_max', __('Price to', 'passerelle'), $filters['prix_max']);
    [$kind, $steps] = Search::slider($filters);
    $shown = $steps[$kind][Search::currency($filters)] ?? [];
    if ($shown !== []) :
        $place = static fn(?int $amount, int $none): int => $amount === null ? $none : count(array_filter($shown, static fn(int $step): bool => $step < $amount));
        ?><div class="psr-slider" role="group" aria-label="<?php esc_attr_e('Price', 'passerelle'); ?>" data-steps="<?php echo esc_attr((string) wp_json_encode($steps)); ?>" data-kind="<?php echo esc_attr($kind); ?>" data-rentals="<?php echo esc_attr(implode(' ', Prices::RENTALS)); ?>" data-any="<?php esc_attr_e('Any', 'passerelle'); ?>"><span aria-hidden="true"><?php esc_html_e('Price', 'passerelle'); ?></span><span class="psr-range"><?php
        $last = count($shown) - 1;
        foreach (['prix_min' => [__('Price from', 'passerelle'), 0], 'prix_max' => [__('Price to', 'passerelle'), $last]] as $name => [$label, $none]) :
            ?><input type="range" min="0" max="<?php echo esc_attr((string) $last); ?>" value="<?php echo esc_attr((string) min($last, $place($filters[$name], $none))); ?>" aria-label="<?php echo esc_attr($label); ?>" data-for="<?php echo esc_attr($name); ?>"><?php
        endforeach;
        // Without scripts the two fields do the same.
        ?></span></div><noscript><style>.psr-slider { display: none !important; }</style></noscript><?php
    endif;
    if (Search::hasSeveralCurrencies()) {
        $choice('devise', __('Currency', 'passerelle'), $filters['devise'] ?? (isset($filters['prix_min']) || isset($filters['prix_max']) ? Search::currency($filters) : null), array_fill_keys(Search::currencies(), null), null);
    }
    $amount('surface_min', __('Area from (m²)', 'passerelle'), $filters['surface_min']);
    $further = array_filter(array_diff_key(Search::further(array_map('strval', array_filter($filters, 'is_scalar'))), ['ville' => 1, 'agent' => 1]));
    $features = explode(',', (string) $filters['equipements']);
    ?>
    <details class="psr-further"<?php echo $further === [] ? '' : ' open'; ?>><summary><?php esc_html_e('More filters', 'passerelle'); ?></summary><div class="psr-grid"><?php
        $amount('chambres_min', __('Bedrooms from', 'passerelle'), $filters['chambres_min']);
        $amount('pieces_min', __('Rooms from', 'passerelle'), $filters['pieces_min']);
        $amount('terrain_min', __('Land from (m²)', 'passerelle'), $filters['terrain_min']);
        $choice('dpe', __('Energy class from', 'passerelle'), $filters['dpe'], array_fill_keys(['A', 'B', 'C', 'D', 'E', 'F', 'G'], null), null);
        ?><label><?php esc_html_e('Reference or words', 'passerelle'); ?><input name="mots" maxlength="100" autocomplete="off" value="<?php echo esc_attr((string) $filters['mots']); ?>"></label>
        <label><?php esc_html_e('Distance', 'passerelle'); ?><select name="rayon"><?php
            $km = (int) (explode(',', (string) $filters['autour'])[2] ?? Search::RADII[1]);
            foreach (Search::RADII as $radius) : ?><option value="<?php echo esc_attr((string) $radius); ?>"<?php selected($km, $radius); ?>><?php echo esc_html(Numbers::format($radius) . ' km'); ?></option><?php endforeach; ?></select></label>
        <p class="psr-near"><button type="button" class="psr-plain" data-denied="<?php esc_attr_e('Your position is not known.', 'passerelle'); ?>" hidden><?php esc_html_e('Near me', 'passerelle'); ?></button><?php
            if ($filters['autour'] !== null) { $box('autour', $filters['autour'], __('Near the chosen position', 'passerelle'), true); }
        ?></p></div>
        <fieldset class="psr-boxes"><legend><?php esc_html_e('Features', 'passerelle'); ?></legend><?php
            foreach (Search::features() as $field => $label) { $box('equipements[]', $field, $label, in_array($field, $features, true)); }
            $box('libre', 'oui', __('Available only', 'passerelle'), $filters['libre'] !== null);
        ?></fieldset></details>
    <?php if ($filters['agent'] !== null) { $box('agent', $filters['agent'], sprintf(/* translators: %s: name of an agent */ __('Properties of %s', 'passerelle'), $filters['agent']), true); } ?>
    <label><?php esc_html_e('Order', 'passerelle'); ?><select name="tri">
        <?php foreach ($orders as $value => $label) : ?>
            <option value="<?php echo esc_attr($value); ?>"<?php selected($filters['tri'], $value); ?>><?php echo esc_html($label); ?></option>
        <?php endforeach; ?></select></label>
    <?php if (Search::hasSalesAndRents()) : ?><p class="psr-note"><?php esc_html_e('If no offer is selected, a price is a purchase price.', 'passerelle'); ?></p><?php endif; ?>
    <div class="psr-actions"><button type="submit"><?php esc_html_e('Search', 'passerelle'); ?></button>
        <?php if ($isFiltered) : ?>
            <a class="psr-button psr-plain" href="<?php echo esc_url($action); ?>"><?php esc_html_e('Clear', 'passerelle'); ?></a>
        <?php endif; ?></div>
</form>
