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
        if (isset($listing['prix'])) {
            return self::money($listing['prix'], $listing);
        }
        $rent = self::rent($listing);
        if ($rent !== null) {
            return $rent;
        }
        return ($listing['prixSurDemande'] ?? false) === true ? __('Price on request', 'passerelle') : __('Price not given', 'passerelle');
    }

    /** Whether French law requires its certificates and notices; a listing without a country counts as French. */
    public static function isFrench(array $listing): bool
    {
        return in_array($listing['pays'] ?? 'FR', ['FR', 'GP', 'MQ', 'GF', 'RE', 'YT', 'MF', 'BL', 'PM'], true);
    }

    /** Whether British or Irish property law applies: leasehold or freehold instead of co-ownership. */
    private static function isBritish(array $listing): bool
    {
        return in_array($listing['pays'] ?? '', ['GB', 'UK', 'IE', 'IM', 'JE', 'GG'], true);
    }

    /** @return array<array{0: string, 1: ?string}> */
    private static function tenure(array $l): array
    {
        $periodic = static fn(array $amount): string => trim(self::money($amount['montant'], $l) . ' ' . (self::periods()[$amount['periode'] ?? ''] ?? ''));
        $service = isset($l['chargesService']['montant']) ? $periodic($l['chargesService']) : null;
        return [
            [__('Tenure', 'passerelle'), $l['regimePropriete'] ?? null], [__('Years left on the lease', 'passerelle'), isset($l['bailAnnees']) ? self::figure($l['bailAnnees']) : null],
            [__('Ground rent', 'passerelle'), isset($l['redevanceFonciere']['montant']) ? $periodic($l['redevanceFonciere']) : null],
            [__('Service charge', 'passerelle'), $service ?? (isset($l['coproCharges']) ? self::money($l['coproCharges'], $l) . ' ' . __('per year', 'passerelle') : null)],
        ];
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

    private static function rent(array $listing): ?string
    {
        $rent = self::rentOf($listing);
        return $rent === null ? null : trim(self::money($rent[0], $listing) . ' ' . self::periods()[$rent[1]] . ' ' . Rents::suffix($listing));
    }

    /** The lines that the law requires next to a price. */
    public static function priceNote(array $listing): string
    {
        $notes = [];
        $fees = self::fees($listing);
        if ($fees !== null) {
            /* translators: %s: the fees and who pays them */
            $notes[] = sprintf(__('Agency fees: %s', 'passerelle'), $fees);
        }
        if (isset($listing['prixHorsHonoraires'])) {
            /* translators: %s: a price */
            $notes[] = sprintf(__('price without fees %s', 'passerelle'), self::money($listing['prixHorsHonoraires'], $listing));
        }
        $charges = Rents::charges($listing);
        if ($charges !== null) {
            $notes[] = $charges;
        }
        return implode(' · ', $notes);
    }

    public static function place(array $listing): string
    {
        return trim(($listing['codePostal'] ?? '') . ' ' . ($listing['ville'] ?? ''));
    }

    /** The most important facts. @return string[] */
    public static function sizes(array $listing): array
    {
        return array_values(array_filter([
            isset($listing['surfaceHabitable']) ? self::area($listing['surfaceHabitable']) : null,
            /* translators: %s: number of rooms */
            isset($listing['nbrePieces']) ? sprintf(_n('%s room', '%s rooms', (int) $listing['nbrePieces'], 'passerelle'), self::figure($listing['nbrePieces'])) : null,
            /* translators: %s: number of bedrooms */
            isset($listing['nbreChambres']) ? sprintf(_n('%s bedroom', '%s bedrooms', (int) $listing['nbreChambres'], 'passerelle'), self::figure($listing['nbreChambres'])) : null,
            /* translators: %s: an area */
            isset($listing['surfaceTerrain']) ? sprintf(__('%s of land', 'passerelle'), self::area($listing['surfaceTerrain'])) : null,
        ]));
    }

    /** @param int|float $value */
    public static function area($value): string
    {
        return self::figure($value) . "\u{a0}m²";
    }

    private static function fees(array $listing): ?string
    {
        $payer = [
            'acquereur' => __('paid by the buyer', 'passerelle'), 'vendeur' => __('paid by the seller', 'passerelle'),
            'acquereur-et-vendeur' => __('paid by buyer and seller', 'passerelle'), 'locataire' => __('paid by the tenant', 'passerelle'),
        ][$listing['honorairesCharge'] ?? ''] ?? null;
        if (!isset($listing['honoraires'])) {
            return $payer;
        }
        $isShare = ($listing['honorairesUnite'] ?? '') === 'pourcentage';
        $value = $isShare ? self::figure($listing['honoraires']) . "\u{a0}%" : self::money($listing['honoraires'], $listing);
        /* translators: %s: an amount or a percentage */
        return trim(sprintf(__('%s incl. VAT', 'passerelle'), $value) . ' ' . $payer);
    }

    /**
     * All details that the law or visitors require, by subject. @return array<string, array<array{0: string, 1: string,
     * 2?: string}>> name, value and address
     */
    public static function particulars(array $l): array
    {
        $money = static fn(string $field, string $per = ''): ?string => isset($l[$field]) ? self::money($l[$field], $l) . $per : null;
        $figure = static fn(string $field): ?string => isset($l[$field]) ? self::figure($l[$field]) : null;
        $area = static fn(string $field): ?string => isset($l[$field]) ? self::area($l[$field]) : null;
        $flag = static fn(string $field): ?string => isset($l[$field]) ? ($l[$field] ? __('Yes', 'passerelle') : __('No', 'passerelle')) : null;
        $day = static fn(string $field): ?string => isset($l[$field]) ? Numbers::day($l[$field]) : null;
        $month = ' ' . __('per month', 'passerelle');
        $year = ' ' . __('per year', 'passerelle');
        $floor = isset($l['etage']) ? ($l['etage'] === 0 ? __('ground floor', 'passerelle') : self::figure($l['etage'])) : null;
        /* translators: %s: number of floors */
        $floor = $floor !== null && isset($l['nbreEtages']) ? "$floor " . sprintf(__('of %s', 'passerelle'), self::figure($l['nbreEtages'])) : $floor;
        $costs = implode(' – ', array_filter([$money('dpeCoutMin'), $money('dpeCoutMax')]));
        $subjects = [
            __('The property', 'passerelle') => [
                [__('Living area', 'passerelle'), $area('surfaceHabitable')], [__('Area by the Carrez act', 'passerelle'), $area('surfaceCarrez')],
                [__('Land', 'passerelle'), $area('surfaceTerrain')], [__('Rooms', 'passerelle'), $figure('nbrePieces')],
                [__('Bedrooms', 'passerelle'), $figure('nbreChambres')], [__('Bathrooms', 'passerelle'), $figure('nbreSallesDeBain')],
                [__('Shower rooms', 'passerelle'), $figure('nbreSallesEau')], [__('Floor', 'passerelle'), $floor],
                [__('Year of construction', 'passerelle'), isset($l['anneeConstruction']) ? (string) $l['anneeConstruction'] : null],
                [__('New', 'passerelle'), $flag('neuf')], [__('Furnished', 'passerelle'), $flag('meuble')], [__('Lift', 'passerelle'), $flag('ascenseur')],
                [__('Balcony', 'passerelle'), $flag('balcon')], [__('Terrace', 'passerelle'), $flag('terrasse')],
                [__('Swimming pool', 'passerelle'), $flag('piscine')], [__('Parking', 'passerelle'), $flag('parking')],
                [__('Available from', 'passerelle'), $day('disponibilite')], [__('District', 'passerelle'), $l['quartier'] ?? null],
                [__('Address', 'passerelle'), $l['adresse'] ?? null],
                [__('Virtual tour', 'passerelle'), isset($l['visiteVirtuelle']) ? __('Open the tour', 'passerelle') : null, $l['visiteVirtuelle'] ?? ''],
                [__('Video', 'passerelle'), isset($l['video']) ? __('Watch the video', 'passerelle') : null, $l['video'] ?? ''],
            ],
            __('Price and fees', 'passerelle') => [
                [__('Price', 'passerelle'), $money('prix')], [__('Price without fees', 'passerelle'), $money('prixHorsHonoraires')],
                [__('Down payment', 'passerelle'), $money('bouquet')], [__('Annuity', 'passerelle'), $money('rente', $month)],
                [__('Rent', 'passerelle'), self::rent($l)], [__('Base rent', 'passerelle'), $money('loyerBase', $month)],
                [__('Rent supplement', 'passerelle'), $money('loyerComplement', $month)],
                [__('Highest reference rent', 'passerelle'), $money('loyerReferenceMajore', $month)],
                [__('Rents are limited here', 'passerelle'), $flag('loyerEncadrement')], ...Rents::parts($l),
                [__('How charges are paid', 'passerelle'), $l['chargesModalite'] ?? null], [__('Deposit', 'passerelle'), $money('depotGarantie')],
                [__('Agency fees', 'passerelle'), self::fees($l)], [__('including inventory', 'passerelle'), $money('honorairesEtatDesLieux')],
                [__('List of fees', 'passerelle'), isset($l['honorairesBareme']) ? __('See the list of fees', 'passerelle') : null, $l['honorairesBareme'] ?? ''],
                [__('Property tax', 'passerelle'), $money('taxeFonciere', $year)],
            ],
            __('Tenure', 'passerelle') => !self::isBritish($l) ? [] : self::tenure($l),
            __('Co-ownership', 'passerelle') => self::isBritish($l) ? [] : [
                [__('Part of a co-ownership', 'passerelle'), $flag('copropriete')], [__('Lots', 'passerelle'), $figure('coproLots')],
                [__('Yearly charges', 'passerelle'), $money('coproCharges')], [__('Proceedings under way', 'passerelle'), $flag('coproProcedure')],
            ],
            __('Energy certificate', 'passerelle') => !self::isFrench($l) ? [] : [
                [__('Date of the certificate', 'passerelle'), $day('dpeDate')], [__('Method', 'passerelle'), $l['dpeVersion'] ?? null],
                [__('Final energy', 'passerelle'), isset($l['dpeEnergieFinale']) ? self::figure($l['dpeEnergieFinale']) . ' kWh/m²/an' : null],
                [__('Estimated yearly energy costs', 'passerelle'), $costs === '' ? null : $costs],
                [__('Energy prices of', 'passerelle'), $l['dpeAnneeReference'] ?? null],
            ],
            __('Mandate', 'passerelle') => [
                [__('Reference', 'passerelle'), $l['affNum'] ?? null], [__('Mandate no.', 'passerelle'), $l['mandatNum'] ?? null],
                [__('Kind of mandate', 'passerelle'), $l['mandatType'] ?? null], [__('Exclusive', 'passerelle'), $flag('exclusivite')],
                [__('Under offer', 'passerelle'), $flag('sousOffre')], [__('Updated on', 'passerelle'), $day('dateModification')],
            ],
        ];
        $known = array_map(static fn(array $rows): array => array_values(array_filter($rows, static fn(array $row): bool => $row[1] !== null)), $subjects);
        return array_filter($known);
    }
}
