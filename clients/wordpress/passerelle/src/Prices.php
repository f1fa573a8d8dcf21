<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** The price of a listing, and the words without which it would mislead. */
final class Prices
{
    /** Offers whose amount is a rent. */
    public const RENTALS = ['location', 'location-saisonniere'];

    /** Whether the amount of this listing is a rent: some sales also state the rent that a tenant pays. */
    public static function isRent(array $listing): bool
    {
        $isRental = in_array($listing['typeTransaction'] ?? '', self::RENTALS, true);
        return isset($listing['loyer']) && ($isRental || !isset($listing['prix']));
    }

    public static function headline(array $listing): string
    {
        $rent = self::isRent($listing) ? Words::rent($listing) : null;
        if ($rent !== null) {
            return $rent;
        }
        $price = $listing['prix'] ?? null;
        $range = $listing['prixPlage'] ?? [];
        // Sources give the lowest or the highest price of a range as the price, too.
        if ($price === null || in_array((float) $price, array_map('floatval', array_values($range)), true)) {
            $words = self::rangeOf($listing);
            if ($words !== null) {
                return $words;
            }
        }
        if ($price !== null) {
            return Words::money($price, $listing);
        }
        return ($listing['prixSurDemande'] ?? false) === true ? __('Price on request', 'passerelle') : __('Price not given', 'passerelle');
    }

    /** The range of prices in words; null without a range. */
    public static function rangeOf(array $listing): ?string
    {
        return self::range($listing['prixPlage'] ?? [], static fn($value): string => Words::money($value, $listing));
    }

    /** A range in words; null if it is empty. @param callable(int|float): string $words the words of one value */
    public static function range(array $range, callable $words): ?string
    {
        [$least, $most] = [$range['min'] ?? null, $range['max'] ?? null];
        if ($least !== null && $most !== null) {
            return (float) $least === (float) $most ? $words($least) : $words($least) . ' – ' . $words($most);
        }
        if ($least !== null) {
            /* translators: %s: an amount, an area or a number */
            return sprintf(__('From %s', 'passerelle'), $words($least));
        }
        /* translators: %s: an amount, an area or a number */
        return $most === null ? null : sprintf(__('Up to %s', 'passerelle'), $words($most));
    }

    /** @return string[] */
    public static function notes(array $listing): array
    {
        $notes = isset($listing['prixMention']) ? [$listing['prixMention']] : [];
        if (isset($listing['partAchetee'])) {
            /* translators: %s: a percentage */
            $notes[] = sprintf(__('the price buys a share of %s', 'passerelle'), self::share($listing['partAchetee']));
        }
        if (isset($listing['loyerPart']['montant'])) {
            /* translators: %s: an amount, perhaps with its period */
            $notes[] = sprintf(__('plus a rent of %s for the other share', 'passerelle'), Words::periodic($listing['loyerPart'], $listing));
        }
        if (isset($listing['prixAncien'])) {
            /* translators: %s: a price */
            $notes[] = sprintf(__('previously %s', 'passerelle'), Words::money($listing['prixAncien'], $listing));
        }
        $fees = self::fees($listing);
        if ($fees !== null) {
            /* translators: %s: the fees and who pays them */
            $notes[] = sprintf(__('Agency fees: %s', 'passerelle'), $fees);
        }
        if (isset($listing['prixHorsHonoraires'])) {
            /* translators: %s: a price */
            $notes[] = sprintf(__('price without fees %s', 'passerelle'), Words::money($listing['prixHorsHonoraires'], $listing));
        }
        $charges = Rents::charges($listing);
        return $charges === null ? $notes : array_merge($notes, [$charges]);
    }

    public static function fees(array $listing): ?string
    {
        $payer = [
            'acquereur' => __('paid by the buyer', 'passerelle'), 'vendeur' => __('paid by the seller', 'passerelle'),
            'acquereur-et-vendeur' => __('paid by buyer and seller', 'passerelle'), 'locataire' => __('paid by the tenant', 'passerelle'),
        ][$listing['honorairesCharge'] ?? ''] ?? null;
        if (!isset($listing['honoraires'])) {
            return $payer;
        }
        $isShare = ($listing['honorairesUnite'] ?? '') === 'pourcentage';
        $value = $isShare ? self::share($listing['honoraires']) : Words::money($listing['honoraires'], $listing);
        /* translators: %s: an amount or a percentage */
        return trim(sprintf(__('%s incl. VAT', 'passerelle'), $value) . ' ' . $payer);
    }

    /** @param int|float $value */
    public static function share($value): string
    {
        return Words::figure($value) . "\u{a0}%";
    }
}
