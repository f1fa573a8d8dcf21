<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** Short words on a card and a page: sold, under offer, reduced, new, exclusive. */
final class Badges
{
    private const NEW_DAYS = 14;

    /** @return array<array{0: string, 1: string}> class and text, the most important first */
    public static function of(array $listing): array
    {
        $badges = [];
        if (Words::status($listing) !== '') {
            $badges[] = ['taken', Words::status($listing)];
        }
        // A sold property is neither new nor reduced for a visitor.
        if (in_array($listing['statut'] ?? '', ['vendu', 'loue'], true)) {
            return $badges;
        }
        if (isset($listing['prix'], $listing['prixAncien']) && $listing['prixAncien'] > $listing['prix']) {
            $badges[] = ['reduced', __('Price reduced', 'passerelle')];
        }
        $made = strtotime($listing['dateCreation'] ?? '');
        if ($made !== false && $made <= time() && $made > time() - self::NEW_DAYS * DAY_IN_SECONDS) {
            $badges[] = ['new', __('Just listed', 'passerelle')];
        }
        if (($listing['exclusivite'] ?? false) === true) {
            $badges[] = ['exclusive', __('Exclusive', 'passerelle')];
        }
        return $badges;
    }

    public static function html(array $listing): string
    {
        $html = '';
        foreach (self::of($listing) as [$class, $text]) {
            $html .= sprintf('<span class="psr-badge psr-%s">%s</span> ', $class, esc_html($text));
        }
        return $html === '' ? '' : "<span class=\"psr-badges\">$html</span>";
    }
}
