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
        if (($without !== null && self::isSame($without, $rent)) || ($with !== null && $with > $rent)) {
            return false;
        }
        return $without !== null && isset($listing['charges']) && self::isSame($without + $listing['charges'], $rent) ? true : null;
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
        $has = self::hasCharges($listing);
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
            [__('Heating costs', 'passerelle'), $month('chargesChauffage')], [__('Rent with all charges', 'passerelle'), $month('loyerChargesComprises')],
        ];
    }

    /** @param int|float $one @param int|float $other */
    private static function isSame($one, $other): bool
    {
        return abs($one - $other) < 0.01;
    }
}
