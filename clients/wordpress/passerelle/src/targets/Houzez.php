<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/**
 * The theme Houzez, whose fields begin with `fave_`. The names of plans, features, qualifier and certificate are those
 * that octohouse/houzes-property-feed and HouzezProject/houzez-app use on GitHub. `fave_attachments` takes only files of
 * the media library, so documents are links among the additional details.
 */
final class Houzez extends Target
{
    public function label(): string
    {
        return 'Houzez';
    }

    public function isAvailable(): bool
    {
        return post_type_exists('property') && taxonomy_exists('property_status');
    }

    public function postType(): string
    {
        return 'property';
    }

    public function write(int $postId, array $listing): void
    {
        $point = isset($listing['latitude'], $listing['longitude']) ? "{$listing['latitude']},{$listing['longitude']}" : null;
        $rent = isset($listing['prix']) ? null : Words::rentOf($listing);
        $this->fields($postId, [
            'fave_property_id' => $listing['affNum'] ?? $listing['affId'],
            'fave_property_price' => $listing['prix'] ?? $rent[0] ?? $listing['prixPlage']['min'] ?? null,
            'fave_property_price_prefix' => self::priceWords($listing),
            'fave_property_price_postfix' => $rent === null ? null : trim(self::postfixes()[$rent[1]] . ' ' . Rents::suffix($listing)),
            'fave_property_size' => $listing['surfaceHabitable'] ?? null,
            'fave_property_size_prefix' => 'm²',
            'fave_property_land' => $listing['surfaceTerrain'] ?? null,
            'fave_property_land_postfix' => 'm²',
            'fave_property_rooms' => $listing['nbrePieces'] ?? null,
            'fave_property_bedrooms' => $listing['nbreChambres'] ?? null,
            'fave_property_bathrooms' => $listing['nbreSallesDeBain'] ?? null,
            'fave_property_garage' => isset($listing['parking']) ? (int) $listing['parking'] : null,
            'fave_property_year' => $listing['anneeConstruction'] ?? null,
            'fave_property_address' => $listing['adresse'] ?? null,
            'fave_property_map_address' => self::place($listing),
            'fave_property_zip' => $listing['codePostal'] ?? null,
            'fave_property_country' => $listing['pays'] ?? null,
            'fave_property_map' => $point === null ? null : 1,
            'fave_property_location' => $point,
            'houzez_geolocation_lat' => $listing['latitude'] ?? null,
            'houzez_geolocation_long' => $listing['longitude'] ?? null,
            'fave_energy_class' => $listing['dpeClasse'] ?? self::rating($listing, 'note', 'classe'),
            'fave_energy_global_index' => isset($listing['dpeValeur']) ? "{$listing['dpeValeur']} kWh/m²/an" : null,
            'fave_ghg_emissions_class' => $listing['gesClasse'] ?? null,
            'fave_ghg_emissions_index' => isset($listing['gesValeur']) ? "{$listing['gesValeur']} kg CO₂/m²/an" : null,
            'fave_diagnostic_date' => $listing['dpeDate'] ?? null,
            'fave_epc_current_rating' => self::rating($listing, 'note', 'valeur'),
            'fave_epc_potential_rating' => self::rating($listing, 'note-potentielle', 'valeur'),
            'fave_video_url' => $listing['video'] ?? null,
            'fave_virtual_tour' => self::tour($listing),
            'floor_plans' => array_map(static fn(array $plan): array => ['fave_plan_title' => $plan['title'], 'fave_plan_image' => $plan['url']], self::links($listing, 'plans', __('Floor plan', 'passerelle'))) ?: null,
            'fave_floor_plans_enable' => self::links($listing, 'plans', '') === [] ? 'disable' : 'enable',
        ]);
        // Houzez's own list of additional details gets the details that the law requires.
        $particulars = array_map(
            static fn(array $pair): array => ['fave_additional_feature_title' => $pair[0], 'fave_additional_feature_value' => $pair[1]],
            self::pairs($listing)
        );
        update_post_meta($postId, 'additional_features', wp_slash($particulars));
        update_post_meta($postId, 'fave_additional_features_enable', 'enable');
        $this->terms($postId, [
            'property_type' => Words::kind($listing), 'property_status' => Words::offer($listing),
            'property_city' => $listing['ville'] ?? null, 'property_area' => $listing['quartier'] ?? null, 'property_feature' => self::features($listing),
        ]);
    }

    /** The text after a price and a slash, by period. @return array<string, string> */
    private static function postfixes(): array
    {
        return [
            'jour' => __('day', 'passerelle'), 'semaine' => __('week', 'passerelle'), 'quinzaine' => __('fortnight', 'passerelle'),
            'mois' => __('month', 'passerelle'), 'trimestre' => __('quarter', 'passerelle'), 'semestre' => __('half-year', 'passerelle'),
            'an' => __('year', 'passerelle'),
        ];
    }

    public function photos(int $postId, array $attachments): void
    {
        delete_post_meta($postId, 'fave_property_images');
        foreach ($attachments as $id) {
            add_post_meta($postId, 'fave_property_images', $id);
        }
    }
}
