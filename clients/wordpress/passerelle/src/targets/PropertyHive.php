<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** The plugin Property Hive. */
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
        wp_update_post(wp_slash(['ID' => $postId, 'post_excerpt' => Writer::inert(wp_trim_words($listing['commentaires'] ?? '', 55))]));
        $this->terms($postId, ['property_type' => Words::kind($listing), 'availability' => Words::offer($listing)]);
    }

    public function photos(int $postId, array $attachments): void
    {
        update_post_meta($postId, '_photos', $attachments);
    }
}
