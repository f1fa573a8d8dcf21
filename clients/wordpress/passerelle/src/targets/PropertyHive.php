<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/**
 * The plugin Property Hive. The names of plans, brochures, tours, features and terms are those in
 * propertyhive/WP-Property-Hive on GitHub (`includes/admin/post-types/meta-boxes`). It shows addresses of plans and
 * brochures when its settings say "Stored As: URLs".
 */
final class PropertyHive extends Target
{
    /** The plugin's words for rent periods; other periods are converted to months. */
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
        $price = $listing['prix'] ?? $listing['prixPlage']['min'] ?? null;
        $particulars = implode("\n", array_map(static fn(array $pair): string => "$pair[0]: $pair[1]", self::pairs($listing)));
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
            '_price' => $isRental ? null : $price,
            '_price_actual' => $isRental ? $listing['loyer'] ?? null : $price,
            '_rent' => $rent[0] ?? null,
            '_rent_frequency' => $isRental ? self::FREQUENCIES[$rent[1] ?? 'mois'] : null,
            '_deposit' => $listing['depotGarantie'] ?? null,
            '_available_date' => $listing['disponibilite'] ?? null,
            '_on_market' => 'yes',
            '_floorplan_urls' => self::links($listing, 'plans', __('Floor plan', 'passerelle')) ?: null,
            '_brochure_urls' => self::links($listing, 'documents', __('Document', 'passerelle')) ?: null,
            // A second room gets the details that the law requires, because the plugin has no field for them.
            '_rooms' => $particulars === '' ? '1' : '2',
            '_room_name_1' => $particulars === '' ? null : __('Further information', 'passerelle'),
            '_room_description_1' => $particulars === '' ? null : $particulars,
            '_room_name_0' => null,
            '_room_dimensions_0' => null,
            '_room_description_0' => $listing['commentaires'] ?? null,
        ]);
        wp_update_post(wp_slash(['ID' => $postId, 'post_excerpt' => Writer::inert(wp_trim_words($listing['commentaires'] ?? '', 55))]));
        $this->numbered($postId, '_features', '_feature_', self::features($listing));
        $this->numbered($postId, '_virtual_tours', '_virtual_tour_', array_values(array_filter([$listing['visiteVirtuelle'] ?? null, $listing['video'] ?? null])));
        $this->terms($postId, [
            'property_type' => Words::kind($listing), 'availability' => Words::offer($listing), 'property_feature' => self::features($listing),
            'price_qualifier' => $isRental ? null : self::priceWords($listing), 'tenure' => $listing['regimePropriete'] ?? null,
        ]);
    }

    /** The plugin stores a list as its length, and a field per entry. @param string[] $values */
    private function numbered(int $postId, string $count, string $entry, array $values): void
    {
        $before = (int) get_post_meta($postId, $count, true);
        $fields = [$count => $values === [] ? null : (string) count($values)];
        for ($place = 0; $place < max($before, count($values)); $place += 1) {
            $fields[$entry . $place] = $values[$place] ?? null;
        }
        $this->fields($postId, $fields);
    }

    public function photos(int $postId, array $attachments): void
    {
        update_post_meta($postId, '_photos', $attachments);
    }
}
