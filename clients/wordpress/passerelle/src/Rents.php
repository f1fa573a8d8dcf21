<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** Says whether rents include charges, if the source specifies it. */
final class Rents
{
    /** Whether the rent includes charges; null if the source does not say. */
    public static function hasCharges(array $listing): ?bool
    {
        $rent = $listing['loyer'] ?? null;
        if ($rent === null) {
            return null;
        }
        $with = $listing['loyerChargesComprises'] ?? null;
        $without = $listing['loyerHorsCharges'] ?? null;
        if ($with !== null && self::isSame($with, $rent)) {
            return true;
        }
        if ($without !== null && self::isSame($without, $rent)) {
            return false;
        }
        if ($without !== null && $with !== null) {
            // Some of the charges are in the rent, and some are not, such as the heating costs.
            return null;
        }
        if ($with !== null) {
            return $with > $rent ? false : null;
        }
        return isset($listing['charges']) && self::isNetAnd($listing, $listing['charges']) ? true : null;
    }

    /** The words after the amount of a rent; empty if the source does not say whether the rent includes charges. */
    public static function suffix(array $listing): string
    {
        $has = self::hasCharges($listing);
        return $has === null ? '' : ($has ? __('charges included', 'passerelle') : __('charges not included', 'passerelle'));
    }

    /** The charges, and whether the rent includes them; null without charges. */
    public static function charges(array $listing): ?string
    {
        if (!isset($listing['charges'])) {
            return null;
        }
        $amount = Words::money($listing['charges'], $listing);
        $has = self::hasCharges($listing) ?? (self::isNetAnd($listing, $listing['charges']) ? true : null);
        if ($has === null) {
            /* translators: %s: an amount */
            return sprintf(__('charges of %s per month; it is not stated whether the rent includes them', 'passerelle'), $amount);
        }
        /* translators: %s: an amount */
        return sprintf($has ? __('including charges of %s per month', 'passerelle') : __('plus charges of %s per month', 'passerelle'), $amount);
    }

    /** The parts of a monthly rent as the feed lists them. @return array<array{0: string, 1: ?string}> */
    public static function parts(array $listing): array
    {
        $month = static fn(string $field): ?string => isset($listing[$field]) ? Words::money($listing[$field], $listing) . ' ' . __('per month', 'passerelle') : null;
        return [
            [__('Rent without charges', 'passerelle'), $month('loyerHorsCharges')], [__('Charges', 'passerelle'), $month('charges')],
            [self::heating($listing), $month('chargesChauffage')], [__('Rent with all charges', 'passerelle'), $month('loyerChargesComprises')],
        ];
    }

    /** The name of the heating costs: `charges` contains them or not, depending on the source. */
    private static function heating(array $listing): string
    {
        [$charges, $heating] = [$listing['charges'] ?? null, $listing['chargesChauffage'] ?? null];
        if ($charges === null || $heating === null) {
            return __('Heating costs', 'passerelle');
        }
        $with = $listing['loyerChargesComprises'] ?? (self::hasCharges($listing) === true ? $listing['loyer'] : null);
        $between = isset($with, $listing['loyerHorsCharges']) ? $with - $listing['loyerHorsCharges'] : null;
        if ($between !== null && self::isSame($between, $charges)) {
            return __('including heating costs', 'passerelle');
        }
        return $between !== null && self::isSame($between, $charges + $heating) ? __('Heating costs', 'passerelle')
            : __('Heating costs (it is not stated whether the charges include them)', 'passerelle');
    }

    /** Whether the rent is the rent without charges plus this amount. @param int|float $amount */
    private static function isNetAnd(array $listing, $amount): bool
    {
        return isset($listing['loyer'], $listing['loyerHorsCharges']) && self::isSame($listing['loyerHorsCharges'] + $amount, $listing['loyer']);
    }

    /** @param int|float $one @param int|float $other */
    private static function isSame($one, $other): bool
    {
        return abs($one - $other) < 0.01;
    }
}
