<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** An estimate of the monthly payments of a loan, if the owner has set a rate and a term. */
final class Mortgage
{
    public const HIGHEST_RATE = 25;
    public const MOST_YEARS = 40;

    /** A sentence below the price; empty if the price is no plain purchase price in a known currency. */
    public static function html(array $listing): string
    {
        $settings = Settings::all();
        [$rate, $years] = [(float) $settings['mortgage_rate'], (int) $settings['mortgage_years']];
        if ($rate <= 0 || $years < 1 || !self::isFor($listing)) {
            return '';
        }
        $amount = Words::money(round(self::monthly((float) $listing['prix'], $rate, $years)), $listing);
        /* translators: 1: an amount, 2: number of years, 3: a percentage */
        $words = _n('Estimate: about %1$s per month for %2$s year at a yearly rate of %3$s, if the whole price is borrowed, without insurance and fees. This is a calculation, not an offer of credit.', 'Estimate: about %1$s per month for %2$s years at a yearly rate of %3$s, if the whole price is borrowed, without insurance and fees. This is a calculation, not an offer of credit.', $years, 'passerelle');
        return sprintf('<p class="psr-note psr-mortgage">%s</p>', esc_html(sprintf($words, $amount, Numbers::format($years), Prices::share($rate))));
    }

    private static function isFor(array $listing): bool
    {
        return ($listing['typeTransaction'] ?? '') === 'vente' && isset($listing['prixCurrency']) && ($listing['prix'] ?? 0) > 0
            && ($listing['prixSurDemande'] ?? false) !== true && !in_array($listing['statut'] ?? '', ['vendu', 'loue'], true)
            // The price of a share or of a life annuity is not what the buyer pays in all.
            && !isset($listing['partAchetee']) && !isset($listing['bouquet']) && !isset($listing['rente']);
    }

    /** Constant payments at the end of each month. */
    private static function monthly(float $price, float $rate, int $years): float
    {
        $monthly = $rate / 1200;
        return $price * $monthly / (1 - (1 + $monthly) ** (-12 * $years));
    }

    /** The setting in the form that it is stored in; null for an invalid value. */
    public static function rateOf(string $given): ?string
    {
        $rate = str_replace([',', '%', ' '], ['.', '', ''], $given);
        return $rate === '' || (preg_match('/^\d{1,2}(?:\.\d{1,3})?$/', $rate) === 1 && (float) $rate > 0 && (float) $rate <= self::HIGHEST_RATE) ? $rate : null;
    }

    public static function yearsOf(string $given): ?string
    {
        return $given === '' || (preg_match('/^\d{1,2}$/', $given) === 1 && (int) $given >= 1 && (int) $given <= self::MOST_YEARS) ? $given : null;
    }
}
