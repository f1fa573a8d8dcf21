<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/**
 * The theme WP Residence. The names of features, qualifier and certificate are those in the theme's copy
 * marcosgugeler/multitemporada on GitHub and in its `wpresidence-core`. Its plans and documents are files of the media
 * library, so they are links in the text.
 */
final class WpResidence extends Target
{
    public function label(): string
    {
        return 'WP Residence';
    }

    public function isAvailable(): bool
    {
        return post_type_exists('estate_property') && taxonomy_exists('property_action_category');
    }

    public function postType(): string
    {
        return 'estate_property';
    }

    public function write(int $postId, array $listing): void
    {
        $rent = isset($listing['prix']) ? null : Words::rentOf($listing);
        $price = $listing['prix'] ?? $rent[0] ?? $listing['prixPlage']['min'] ?? null;
        $this->fields($postId, [
            'property_internal_id' => $listing['affNum'] ?? $listing['affId'],
            'property_price' => $price,
            'property_label_before' => self::priceWords($listing),
            // Without a price, the theme shows only this text.
            'property_label' => $rent !== null ? trim(Words::periods()[$rent[1]] . ' ' . Rents::suffix($listing)) : ($price === null ? Words::price($listing) : null),
            'property_size' => $listing['surfaceHabitable'] ?? null,
            'property_lot_size' => $listing['surfaceTerrain'] ?? null,
            'property_rooms' => $listing['nbrePieces'] ?? null,
            'property_bedrooms' => $listing['nbreChambres'] ?? null,
            'property_bathrooms' => $listing['nbreSallesDeBain'] ?? null,
            'property-year' => $listing['anneeConstruction'] ?? null,
            'property-garage' => isset($listing['parking']) ? (int) $listing['parking'] : null,
            'property_address' => $listing['adresse'] ?? null,
            'property_zip' => $listing['codePostal'] ?? null,
            'property_country' => $listing['pays'] ?? null,
            'property_latitude' => $listing['latitude'] ?? null,
            'property_longitude' => $listing['longitude'] ?? null,
            'energy_class' => $listing['dpeClasse'] ?? self::rating($listing, 'note', 'classe'),
            'energy_index' => $listing['dpeValeur'] ?? null,
            'co2_class' => $listing['gesClasse'] ?? null,
            'co2_index' => $listing['gesValeur'] ?? null,
            'epc_current_rating' => self::rating($listing, 'note', 'valeur'),
            'epc_potential_rating' => self::rating($listing, 'note-potentielle', 'valeur'),
            'embed_virtual_tour' => self::tour($listing),
        ]);
        // The theme has no list of names and values: the details that the law requires follow the text.
        $rows = implode('', array_map(static fn(array $pair): string => '<li>' . esc_html("$pair[0]: $pair[1]") . '</li>', self::pairs($listing)));
        wp_update_post(wp_slash(['ID' => $postId, 'post_content' => Writer::html($listing['commentaires'] ?? '') . ($rows === '' ? '' : "<ul>$rows</ul>")]));
        $this->terms($postId, [
            'property_category' => Words::kind($listing), 'property_action_category' => Words::offer($listing),
            'property_city' => $listing['ville'] ?? null, 'property_area' => $listing['quartier'] ?? null, 'property_features' => self::features($listing),
        ]);
    }

    public function photos(int $postId, array $attachments): void
    {
        // New releases of the theme read the list, and old releases read the text.
        update_post_meta($postId, 'wpestate_property_gallery', array_map('strval', $attachments));
        update_post_meta($postId, 'image_to_attach', implode(',', $attachments));
    }
}
