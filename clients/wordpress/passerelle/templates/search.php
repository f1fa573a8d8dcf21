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
$orders = ['recent' => __('Most recent', 'passerelle'), 'cheap' => __('Price, lowest first', 'passerelle'), 'dear' => __('Price, highest first', 'passerelle'), 'large' => __('Largest', 'passerelle')];
$isFiltered = array_filter(array_diff_key($filters, ['tri' => 1]), static fn($value): bool => $value !== null) !== [];
?>
<form class="psr-filters" method="get" action="<?php echo esc_url($action); ?>" role="search" aria-label="<?php esc_attr_e('Filter the listings', 'passerelle'); ?>">
    <?php
    echo Pages::hiddenFields($action); // phpcs:ignore -- escaped there
    $choice('offre', __('Offer', 'passerelle'), $filters['offre'], $choices['offer'], Words::offers());
    $choice('bien', __('Property', 'passerelle'), $filters['bien'], $choices['kind'], Words::kinds());
    $choice('ville', __('Town', 'passerelle'), $filters['ville'], $choices['town'], null);
    $amount('prix_min', __('Price from', 'passerelle'), $filters['prix_min']);
    $amount('prix_max', __('Price to', 'passerelle'), $filters['prix_max']);
    if (Search::hasSeveralCurrencies()) {
        $choice('devise', __('Currency', 'passerelle'), $filters['devise'] ?? (isset($filters['prix_min']) || isset($filters['prix_max']) ? Search::currency($filters) : null), array_fill_keys(Search::currencies(), null), null);
    }
    $amount('surface_min', __('Area from (m²)', 'passerelle'), $filters['surface_min']);
    ?>
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
