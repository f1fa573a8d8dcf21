<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/**
 * The theme RealHomes, whose plugin Easy Real Estate reads fields that begin with `REAL_HOMES_`. The names of plans,
 * features, qualifier and certificate are those in sumonst21/realhomes and wp-plugins/realhomes-xml-csv-property-listings-import
 * on GitHub. `REAL_HOMES_attachments` takes only files of the media library, so documents are links among the additional
 * details.
 */
final class RealHomes extends Target
{
    public function label(): string
    {
        return 'RealHomes';
    }

    public function isAvailable(): bool
    {
        // Distinguishes the theme from Houzez, which writes this taxonomy with an underscore.
        return post_type_exists('property') && taxonomy_exists('property-status');
    }

    public function postType(): string
    {
        return 'property';
    }

    public function write(int $postId, array $listing): void
    {
        $isPlaced = isset($listing['latitude'], $listing['longitude']);
        $rent = isset($listing['prix']) ? null : Words::rentOf($listing);
        $this->fields($postId, [
            'REAL_HOMES_property_id' => $listing['affNum'] ?? $listing['affId'],
            'REAL_HOMES_property_price' => $listing['prix'] ?? $rent[0] ?? $listing['prixPlage']['min'] ?? null,
            'REAL_HOMES_property_price_prefix' => self::priceWords($listing),
            'REAL_HOMES_property_old_price' => $listing['prixAncien'] ?? null,
            'REAL_HOMES_property_price_postfix' => $rent === null ? null : trim(Words::periods()[$rent[1]] . ' ' . Rents::suffix($listing)),
            'REAL_HOMES_property_size' => $listing['surfaceHabitable'] ?? null,
            'REAL_HOMES_property_size_postfix' => 'm²',
            'REAL_HOMES_property_lot_size' => $listing['surfaceTerrain'] ?? null,
            'REAL_HOMES_property_lot_size_postfix' => 'm²',
            'REAL_HOMES_property_bedrooms' => $listing['nbreChambres'] ?? null,
            'REAL_HOMES_property_bathrooms' => $listing['nbreSallesDeBain'] ?? null,
            'REAL_HOMES_property_garage' => isset($listing['parking']) ? (int) $listing['parking'] : null,
            'REAL_HOMES_property_year_built' => $listing['anneeConstruction'] ?? null,
            'REAL_HOMES_property_address' => self::place($listing),
            // The position includes a zoom; without a position, the next field hides the map.
            'REAL_HOMES_property_location' => $isPlaced ? "{$listing['latitude']},{$listing['longitude']},15" : null,
            'REAL_HOMES_property_map' => $isPlaced ? '0' : '1',
            'REAL_HOMES_energy_class' => $listing['dpeClasse'] ?? self::rating($listing, 'note', 'classe') ?? 'none',
            'REAL_HOMES_epc_current_rating' => self::rating($listing, 'note', 'valeur'),
            'REAL_HOMES_epc_potential_rating' => self::rating($listing, 'note-potentielle', 'valeur'),
            'REAL_HOMES_energy_performance' => isset($listing['dpeValeur']) ? "{$listing['dpeValeur']} kWh/m²/an" : null,
            'REAL_HOMES_tour_video_url' => $listing['video'] ?? null,
            'REAL_HOMES_360_virtual_tour' => self::tour($listing),
            'inspiry_floor_plans' => array_map(static fn(array $plan): array => ['inspiry_floor_plan_name' => $plan['title'], 'inspiry_floor_plan_image' => $plan['url']], self::links($listing, 'plans', __('Floor plan', 'passerelle'))) ?: null,
        ]);
        update_post_meta($postId, 'REAL_HOMES_additional_details_list', wp_slash(self::pairs($listing)));
        $this->terms($postId, [
            'property-type' => Words::kind($listing), 'property-status' => Words::offer($listing), 'property-city' => $listing['ville'] ?? null,
            'property-feature' => self::features($listing),
        ]);
    }

    public function photos(int $postId, array $attachments): void
    {
        delete_post_meta($postId, 'REAL_HOMES_property_images');
        foreach ($attachments as $id) {
            add_post_meta($postId, 'REAL_HOMES_property_images', $id);
        }
    }
}
