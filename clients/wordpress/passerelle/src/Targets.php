<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** Where listings are written: our own pages, or those of a plugin or theme that is installed. */
abstract class Target
{
    abstract public function label(): string;

    abstract public function isAvailable(): bool;

    abstract public function postType(): string;

    /** Whether it shows photos from the media library only. */
    public function needsImport(): bool
    {
        return true;
    }

    /** Fields and terms beside title and text; the post may have others from before. */
    abstract public function write(int $postId, array $listing): void;

    /** @param int[] $attachments in their order */
    abstract public function photos(int $postId, array $attachments): void;

    /** Sets meta fields; those without a value go. */
    protected function fields(int $postId, array $fields): void
    {
        foreach ($fields as $name => $value) {
            if ($value === null || $value === '') {
                delete_post_meta($postId, $name);
            } else {
                update_post_meta($postId, $name, wp_slash(is_bool($value) ? (string) (int) $value : $value));
            }
        }
    }

    /** Sets the one term of each taxonomy that is there; it is made when it is new. */
    protected function terms(int $postId, array $terms): void
    {
        foreach ($terms as $taxonomy => $term) {
            if (taxonomy_exists($taxonomy)) {
                wp_set_object_terms($postId, $term === null || $term === '' ? [] : [$term], $taxonomy);
            }
        }
    }

    protected static function place(array $listing): string
    {
        return implode(', ', array_filter([$listing['adresse'] ?? '', trim(($listing['codePostal'] ?? '') . ' ' . ($listing['ville'] ?? ''))]));
    }

    protected static function isRental(array $listing): bool
    {
        return in_array($listing['typeTransaction'] ?? '', ['location', 'location-saisonniere'], true);
    }
}

final class OwnPages extends Target
{
    public function label(): string
    {
        return __('The pages of this plugin', 'passerelle');
    }

    public function isAvailable(): bool
    {
        return true;
    }

    public function postType(): string
    {
        return PostType::NAME;
    }

    public function needsImport(): bool
    {
        return false;
    }

    public function write(int $postId, array $listing): void
    {
    }

    public function photos(int $postId, array $attachments): void
    {
    }
}

/** The theme Houzez, whose fields begin with `fave_`. */
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
            'fave_property_price' => $listing['prix'] ?? $rent[0] ?? null,
            'fave_property_price_postfix' => $rent === null ? null : self::postfixes()[$rent[1]],
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
            'fave_energy_class' => $listing['dpeClasse'] ?? null,
            'fave_energy_global_index' => isset($listing['dpeValeur']) ? "{$listing['dpeValeur']} kWh/m²/an" : null,
            'fave_video_url' => $listing['video'] ?? null,
        ]);
        // Houzez asks for its own list of what belongs beside: the particulars that the law asks for.
        $particulars = [];
        foreach (Words::particulars($listing) as $rows) {
            foreach ($rows as [$name, $value]) {
                $particulars[] = ['fave_additional_feature_title' => $name, 'fave_additional_feature_value' => $value];
            }
        }
        update_post_meta($postId, 'additional_features', wp_slash($particulars));
        update_post_meta($postId, 'fave_additional_features_enable', 'enable');
        $this->terms($postId, [
            'property_type' => Words::kind($listing), 'property_status' => Words::offer($listing),
            'property_city' => $listing['ville'] ?? null, 'property_area' => $listing['quartier'] ?? null,
        ]);
    }

    /** What stands behind a price and a stroke. @return array<string, string> */
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

/** The plugin Property Hive. */
final class PropertyHive extends Target
{
    /** Periods of a rent in its words; the others are converted to the month. */
    private const FREQUENCIES = ['jour' => 'pd', 'semaine' => 'pw', 'mois' => 'pcm', 'trimestre' => 'pq', 'an' => 'pa'];

    public function label(): string
    {
        return 'Property Hive';
    }

    public function isAvailable(): bool
    {
        return post_type_exists('property') && (class_exists('PropertyHive') || taxonomy_exists('availability'));
    }

    public function postType(): string
    {
        return 'property';
    }

    public function write(int $postId, array $listing): void
    {
        $isRental = self::isRental($listing);
        $rent = $isRental ? Words::rentOf($listing) : null;
        if ($rent !== null && !isset(self::FREQUENCIES[$rent[1]])) {
            $rent = isset($listing['loyer']) ? [$listing['loyer'], 'mois'] : null;
        }
        $this->fields($postId, [
            '_reference_number' => $listing['affNum'] ?? $listing['affId'],
            '_department' => $isRental ? 'residential-lettings' : 'residential-sales',
            '_address_street' => $listing['adresse'] ?? null,
            '_address_three' => $listing['ville'] ?? null,
            '_address_postcode' => $listing['codePostal'] ?? null,
            '_address_country' => $listing['pays'] ?? null,
            '_latitude' => $listing['latitude'] ?? null,
            '_longitude' => $listing['longitude'] ?? null,
            '_bedrooms' => $listing['nbreChambres'] ?? null,
            '_bathrooms' => $listing['nbreSallesDeBain'] ?? null,
            '_reception_rooms' => null,
            '_currency' => $listing['prixCurrency'] ?? 'EUR',
            '_poa' => ($listing['prixSurDemande'] ?? false) === true ? 'yes' : null,
            '_price' => $isRental ? null : $listing['prix'] ?? null,
            '_price_actual' => $isRental ? $listing['loyer'] ?? null : $listing['prix'] ?? null,
            '_rent' => $rent[0] ?? null,
            '_rent_frequency' => $isRental ? self::FREQUENCIES[$rent[1] ?? 'mois'] : null,
            '_deposit' => $listing['depotGarantie'] ?? null,
            '_available_date' => $listing['disponibilite'] ?? null,
            '_on_market' => 'yes',
            '_rooms' => '1',
            '_room_name_0' => null,
            '_room_dimensions_0' => null,
            '_room_description_0' => $listing['commentaires'] ?? null,
        ]);
        wp_update_post(wp_slash(['ID' => $postId, 'post_excerpt' => wp_trim_words($listing['commentaires'] ?? '', 55)]));
        $this->terms($postId, ['property_type' => Words::kind($listing), 'availability' => Words::offer($listing)]);
    }

    public function photos(int $postId, array $attachments): void
    {
        update_post_meta($postId, '_photos', $attachments);
    }
}

final class Targets
{
    /** @return array<string, Target> */
    public static function all(): array
    {
        return ['own' => new OwnPages(), 'houzez' => new Houzez(), 'propertyhive' => new PropertyHive()];
    }

    /** It may not be there at the moment: then nothing is written. */
    public static function get(string $name): Target
    {
        return self::all()[$name] ?? new OwnPages();
    }
}
