<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** Formats a listing for visitors. */
final class Words
{
    public static function title(array $listing): string
    {
        return $listing['intitule'] ?? trim(self::kind($listing) . ' ' . ($listing['ville'] ?? '')) . ' ' . ($listing['affNum'] ?? $listing['affId'] ?? '');
    }

    /** @return array<string, string> */
    public static function offers(): array
    {
        return [
            'vente' => __('For sale', 'passerelle'), 'location' => __('To let', 'passerelle'), 'location-saisonniere' => __('Holiday let', 'passerelle'),
            'viager' => __('Life annuity sale', 'passerelle'), 'fonds-de-commerce' => __('Business for sale', 'passerelle'),
            'cession-de-bail' => __('Lease assignment', 'passerelle'), 'investissement' => __('Investment', 'passerelle'),
            'programme' => __('New development', 'passerelle'), 'enchere' => __('Auction', 'passerelle'), 'autre' => __('Other offer', 'passerelle'),
        ];
    }

    /** @return array<string, string> */
    public static function kinds(): array
    {
        return [
            'appartement' => __('Flat', 'passerelle'), 'maison' => __('House', 'passerelle'), 'terrain' => __('Land', 'passerelle'),
            'parking' => __('Parking', 'passerelle'), 'immeuble' => __('Building', 'passerelle'), 'bureau' => __('Offices', 'passerelle'),
            'local' => __('Commercial premises', 'passerelle'), 'boutique' => __('Shop', 'passerelle'), 'chateau' => __('Château', 'passerelle'),
            'hotel-particulier' => __('Town mansion', 'passerelle'), 'loft' => __('Loft', 'passerelle'), 'fonds' => __('Business', 'passerelle'),
            'autre' => __('Other property', 'passerelle'),
        ];
    }

    public static function offer(array $listing): string
    {
        return self::offers()[$listing['typeTransaction'] ?? ''] ?? '';
    }

    public static function kind(array $listing): string
    {
        return self::kinds()[$listing['typeCode'] ?? ''] ?? '';
    }

    /** @param int|float $value */
    public static function figure($value): string
    {
        $tenths = round(10 * (float) $value, 6);
        return Numbers::format($value, fmod($tenths, 10) === 0.0 ? 0 : (fmod($tenths, 1) === 0.0 ? 1 : 2));
    }

    /** The currency of a listing's amounts. */
    public static function currency(array $listing): string
    {
        return $listing['prixCurrency'] ?? 'EUR';
    }

    /** @param int|float $value */
    public static function money($value, array $listing): string
    {
        return Numbers::money($value, self::currency($listing));
    }

    public static function price(array $listing): string
    {
        return Prices::headline($listing);
    }

    /** Whether French law requires its certificates and notices; a listing without a country counts as French. */
    public static function isFrench(array $listing): bool
    {
        return in_array($listing['pays'] ?? 'FR', ['FR', 'GP', 'MQ', 'GF', 'RE', 'YT', 'MF', 'BL', 'PM'], true);
    }

    /** Whether British or Irish property law applies: leasehold or freehold instead of co-ownership. */
    public static function isBritish(array $listing): bool
    {
        return in_array($listing['pays'] ?? '', ['GB', 'UK', 'IE', 'IM', 'JE', 'GG'], true);
    }

    /** The rent periods in words. @return array<string, string> */
    public static function periods(): array
    {
        return [
            'jour' => __('per day', 'passerelle'), 'semaine' => __('per week', 'passerelle'), 'quinzaine' => __('per fortnight', 'passerelle'),
            'mois' => __('per month', 'passerelle'), 'trimestre' => __('per quarter', 'passerelle'), 'semestre' => __('per half-year', 'passerelle'),
            'an' => __('per year', 'passerelle'),
        ];
    }

    /**
     * The rent and its period as in the source; `loyer` is the monthly equivalent. @return array{0: int|float, 1:
     * string}|null
     */
    public static function rentOf(array $listing): ?array
    {
        $source = $listing['loyerSource'] ?? [];
        if (isset($source['montant'], $source['periode'], self::periods()[$source['periode']])) {
            return [$source['montant'], $source['periode']];
        }
        return isset($listing['loyer']) ? [$listing['loyer'], 'mois'] : null;
    }

    public static function rent(array $listing): ?string
    {
        $rent = self::rentOf($listing);
        return $rent === null ? null : trim(self::money($rent[0], $listing) . ' ' . self::periods()[$rent[1]] . ' ' . Rents::suffix($listing));
    }

    /** An amount with its period, if the source states one. */
    public static function periodic(array $amount, array $listing): string
    {
        return trim(self::money($amount['montant'], $listing) . ' ' . (self::periods()[$amount['periode'] ?? ''] ?? ''));
    }

    /** The lines that the law requires next to a price, and those without which the price would mislead. */
    public static function priceNote(array $listing): string
    {
        return implode(' · ', Prices::notes($listing));
    }

    /** The status of a listing that is not simply on the market; empty otherwise. */
    public static function status(array $listing): string
    {
        $words = [
            'vendu' => __('Sold', 'passerelle'), 'loue' => __('Let', 'passerelle'), 'sous-offre' => __('Under offer', 'passerelle'),
            'sous-compromis' => __('Under contract', 'passerelle'),
        ];
        return $words[$listing['statut'] ?? ''] ?? (($listing['sousOffre'] ?? false) === true ? $words['sous-offre'] : '');
    }

    public static function place(array $listing): string
    {
        return trim(($listing['codePostal'] ?? '') . ' ' . ($listing['ville'] ?? ''));
    }

    /** The most important facts. @return string[] */
    public static function sizes(array $listing): array
    {
        return array_values(array_filter([
            isset($listing['surfaceHabitable']) ? self::area($listing['surfaceHabitable']) : Prices::range($listing['surfacePlage'] ?? [], [self::class, 'area']),
            /* translators: %s: number of rooms */
            isset($listing['nbrePieces']) ? sprintf(_n('%s room', '%s rooms', (int) $listing['nbrePieces'], 'passerelle'), self::figure($listing['nbrePieces'])) : null,
            /* translators: %s: number of bedrooms */
            isset($listing['nbreChambres']) ? sprintf(_n('%s bedroom', '%s bedrooms', (int) $listing['nbreChambres'], 'passerelle'), self::figure($listing['nbreChambres'])) : null,
            /* translators: %s: an area */
            isset($listing['surfaceTerrain']) ? sprintf(__('%s of land', 'passerelle'), self::area($listing['surfaceTerrain'])) : null,
        ]));
    }

    /** Readers in Britain and North America also see square feet, or acres for land. @param int|float $value in m² */
    public static function area($value): string
    {
        $metric = self::figure($value) . "\u{a0}m²";
        if (!in_array(determine_locale(), ['en_GB', 'en_US', 'en_CA'], true)) {
            return $metric;
        }
        $acres = $value / 4046.856;
        return $metric . ' (' . ($acres >= 1 ? self::figure(round($acres, 1)) . "\u{a0}acres" : self::figure(round($value * 10.7639)) . "\u{a0}sq\u{a0}ft") . ')';
    }

    /** All details, by subject. @return array<string, array<array{0: string, 1: string, 2?: string}>> */
    public static function particulars(array $listing): array
    {
        return Particulars::of($listing);
    }
}
