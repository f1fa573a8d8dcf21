<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/**
 * The plugin Easy Property Listings, which has one post type per kind of listing. The names of plans, documents,
 * certificate and features are those in easypropertylistings/Easy-Property-Listings on GitHub; it has two plans and two
 * links, so further ones are links in the text.
 */
final class EasyPropertyListings extends Target
{
    /** The plugin's words for rent periods; other periods are converted to months. */
    private const PERIODS = ['jour' => 'day', 'semaine' => 'week', 'mois' => 'month'];
    private const KINDS = ['maison' => 'House', 'appartement' => 'Apartment', 'loft' => 'Apartment', 'immeuble' => 'BlockOfUnits'];

    public function label(): string
    {
        return 'Easy Property Listings';
    }

    public function isAvailable(): bool
    {
        return taxonomy_exists('tax_feature') && $this->postTypes() !== [];
    }

    public function postType(): string
    {
        return 'property';
    }

    /** The post types that are enabled in the plugin's settings. */
    public function postTypes(): array
    {
        return array_values(array_filter(['property', 'rental', 'land', 'commercial', 'business'], 'post_type_exists'));
    }

    public function postTypeOf(array $listing): string
    {
        $kind = $listing['typeCode'] ?? '';
        $isRental = self::isRental($listing);
        $wanted = $isRental ? 'rental' : 'property';
        if ($kind === 'fonds' || in_array($listing['typeTransaction'] ?? '', ['fonds-de-commerce', 'cession-de-bail'], true)) {
            $wanted = 'business';
        } elseif (in_array($kind, ['bureau', 'local', 'boutique'], true)) {
            $wanted = 'commercial';
        } elseif ($kind === 'terrain' && !$isRental) {
            $wanted = 'land';
        }
        return post_type_exists($wanted) ? $wanted : ($isRental && post_type_exists('rental') ? 'rental' : 'property');
    }

    public function write(int $postId, array $listing): void
    {
        $isRental = self::isRental($listing);
        $plans = self::links($listing, 'plans', __('Floor plan', 'passerelle'));
        $documents = self::links($listing, 'documents', __('Document', 'passerelle'));
        $isCommercial = $this->postTypeOf($listing) === 'commercial';
        $rent = $isRental ? Words::rentOf($listing) : null;
        $price = $listing['prix'] ?? $listing['prixPlage']['min'] ?? null;
        if ($rent !== null && !isset(self::PERIODS[$rent[1]])) {
            $rent = isset($listing['loyer']) ? [$listing['loyer'], 'mois'] : null;
        }
        $this->fields($postId, [
            'property_unique_id' => $listing['affNum'] ?? $listing['affId'],
            'property_heading' => Words::title($listing),
            'property_status' => 'current',
            'property_under_offer' => ($listing['sousOffre'] ?? false) === true || in_array($listing['statut'] ?? '', ['sous-offre', 'sous-compromis'], true) ? 'yes' : null,
            'property_category' => self::KINDS[$listing['typeCode'] ?? ''] ?? null,
            // Without a street, the plugin shows only the town, even on its map.
            'property_address_display' => isset($listing['adresse']) ? 'yes' : 'no',
            'property_address_street' => $listing['adresse'] ?? null,
            'property_address_suburb' => $listing['ville'] ?? null,
            'property_address_postal_code' => $listing['codePostal'] ?? null,
            'property_address_country' => $listing['pays'] ?? null,
            'property_address_coordinates' => isset($listing['latitude'], $listing['longitude']) ? "{$listing['latitude']},{$listing['longitude']}" : null,
            'property_bedrooms' => $listing['nbreChambres'] ?? null,
            'property_bathrooms' => $listing['nbreSallesDeBain'] ?? null,
            'property_rooms' => $listing['nbrePieces'] ?? null,
            'property_year_built' => $listing['anneeConstruction'] ?? null,
            'property_building_area' => $listing['surfaceHabitable'] ?? null,
            'property_building_area_unit' => isset($listing['surfaceHabitable']) ? 'squareMeter' : null,
            'property_land_area' => $listing['surfaceTerrain'] ?? null,
            'property_land_area_unit' => isset($listing['surfaceTerrain']) ? 'squareMeter' : null,
            'property_energy_rating' => $listing['dpeClasse'] ?? self::rating($listing, 'note', 'classe') ?? self::rating($listing, 'note', 'valeur'),
            'property_price' => $isRental ? null : $price,
            'property_price_display' => $isRental ? null : ($price !== null ? 'yes' : 'no'),
            // The text that the plugin shows instead of an amount, because it has no amount for a business rental, no
            // field for a qualifier, and supports only its own currency.
            'property_price_view' => $isRental && !$isCommercial ? null : trim(($listing['prixMention'] ?? '') . ' ' . Words::price($listing)),
            'property_rent' => $isCommercial ? null : $rent[0] ?? null,
            'property_rent_period' => $rent === null || $isCommercial ? null : self::PERIODS[$rent[1]],
            'property_rent_display' => $rent === null || $isCommercial ? null : 'yes',
            'property_com_listing_type' => $isCommercial ? ($isRental ? 'lease' : 'sale') : null,
            'property_com_rent' => $isCommercial && $isRental ? $rent[0] ?? null : null,
            // The fields for the plugin's search and sorting, for all post types.
            'property_price_global' => $isRental ? $rent[0] ?? null : $price,
            'property_bond' => $listing['depotGarantie'] ?? null,
            'property_date_available' => $listing['disponibilite'] ?? null,
            'property_video_url' => $listing['video'] ?? null,
            'property_floorplan' => $plans[0]['url'] ?? null,
            'property_floorplan_2' => $plans[1]['url'] ?? null,
            'property_external_link' => $listing['visiteVirtuelle'] ?? $documents[0]['url'] ?? null,
            'property_external_link_2' => $documents[isset($listing['visiteVirtuelle']) ? 0 : 1]['url'] ?? null,
        ]);
        $rows = implode('', array_map(static fn(array $pair): string => '<li>' . esc_html("$pair[0]: $pair[1]") . '</li>', self::pairs($listing)));
        wp_update_post(wp_slash(['ID' => $postId, 'post_content' => Writer::html($listing['commentaires'] ?? '') . ($rows === '' ? '' : "<ul>$rows</ul>")]));
        $this->terms($postId, ['location' => $listing['ville'] ?? null, 'tax_feature' => self::features($listing)]);
    }

    /** The plugin shows the attachments of a post, in their menu order. */
    public function photos(int $postId, array $attachments): void
    {
        global $wpdb;
        foreach ($attachments as $place => $id) {
            $wpdb->update($wpdb->posts, ['menu_order' => $place], ['ID' => $id]);
            clean_post_cache($id);
        }
    }
}
