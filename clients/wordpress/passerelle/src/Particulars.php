<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** All details of a listing, grouped by a visitor's questions. docs/clients.md lists the fields that visitors do not see. */
final class Particulars
{
    /** The listing. */
    private array $l;

    private function __construct(array $listing)
    {
        $this->l = $listing;
    }

    /**
     * Name, value and perhaps address of each known detail, by subject. A subject without details is absent.
     * @return array<string, array<array{0: string, 1: string, 2?: string}>>
     */
    public static function of(array $listing): array
    {
        $of = new self($listing);
        $subjects = [
            __('The property', 'passerelle') => array_merge($of->areas(), $of->rooms()), __('Features', 'passerelle') => $of->features(),
            __('Price and fees', 'passerelle') => array_merge($of->sale(), $of->rental(), $of->fees()), __('Availability', 'passerelle') => $of->availability(),
            __('Location', 'passerelle') => $of->location(), __('Plans, documents and visits', 'passerelle') => $of->documents(),
            __('The project', 'passerelle') => $of->project(), __('Tenure', 'passerelle') => $of->tenure(), __('Co-ownership', 'passerelle') => $of->coOwnership(),
            (Words::isFrench($listing) ? __('Energy certificate', 'passerelle') : __('Details of the certificate', 'passerelle')) => $of->energy(), __('Planning, cadastre and risks', 'passerelle') => $of->planning(),
            __('Further information', 'passerelle') => $of->information(), __('Mandate', 'passerelle') => $of->mandate(),
        ];
        $known = array_map(static fn(array $rows): array => array_values(array_filter($rows, static fn(array $row): bool => ($row[1] ?? '') !== '')), $subjects);
        return array_filter($known);
    }

    private function areas(): array
    {
        return [
            [__('Living area', 'passerelle'), $this->area('surfaceHabitable')], [__('Area by the Carrez act', 'passerelle'), $this->area('surfaceCarrez')],
            [__('Usable area', 'passerelle'), $this->area('surfaceUtile')], [__('Total area', 'passerelle'), $this->area('surfaceTotale')],
            [__('Area of offices', 'passerelle'), $this->area('surfaceBureaux')], [__('Land', 'passerelle'), $this->area('surfaceTerrain')],
        ];
    }

    private function rooms(): array
    {
        $l = $this->l;
        $floor = isset($l['etage']) ? ($l['etage'] === 0 ? __('ground floor', 'passerelle') : Words::figure($l['etage'])) : null;
        /* translators: %s: number of floors */
        $floor = $floor !== null && isset($l['nbreEtages']) ? "$floor " . sprintf(__('of %s', 'passerelle'), Words::figure($l['nbreEtages'])) : $floor;
        return [
            [__('Rooms', 'passerelle'), $this->figure('nbrePieces')], [__('Bedrooms', 'passerelle'), $this->figure('nbreChambres')],
            [__('Bathrooms', 'passerelle'), $this->figure('nbreSallesDeBain')], [__('Shower rooms', 'passerelle'), $this->figure('nbreSallesEau')],
            [__('Toilets', 'passerelle'), $this->figure('nbreWc')], [__('Floor', 'passerelle'), $floor],
            [__('Floors of the building', 'passerelle'), isset($l['etage']) ? null : $this->figure('nbreEtages')],
            [__('Year of construction', 'passerelle'), isset($l['anneeConstruction']) ? (string) $l['anneeConstruction'] : null],
            [__('New', 'passerelle'), $this->flag('neuf')], [__('Condition', 'passerelle'), $this->text('etat')],
            [__('Orientation', 'passerelle'), $this->text('exposition')], [__('View', 'passerelle'), $this->text('vue')],
        ];
    }

    private function features(): array
    {
        return [
            [__('Furnished', 'passerelle'), $this->flag('meuble')], [__('Lift', 'passerelle'), $this->flag('ascenseur')],
            [__('Balcony', 'passerelle'), $this->flag('balcon')], [__('Terrace', 'passerelle'), $this->flag('terrasse')],
            [__('Garden', 'passerelle'), $this->flag('jardin')], [__('Swimming pool', 'passerelle'), $this->flag('piscine')],
            [__('Cellar', 'passerelle'), $this->flag('cave')], [__('Parking', 'passerelle'), $this->flag('parking')],
            [__('Parking spaces', 'passerelle'), $this->figure('nbreParkings')], [__('Kind of parking', 'passerelle'), $this->text('parkingType')],
            [__('Heating', 'passerelle'), $this->text('chauffageType')], [__('Source of heat', 'passerelle'), $this->text('chauffageEnergie')],
            [__('Air conditioning', 'passerelle'), $this->flag('climatisation')], [__('Fitted kitchen', 'passerelle'), $this->flag('cuisineEquipee')],
            [__('Fireplace', 'passerelle'), $this->flag('cheminee')], [__('Accessible', 'passerelle'), $this->flag('accessible')],
            [__('Pets allowed', 'passerelle'), $this->flag('animaux')], [__('Also', 'passerelle'), implode(' · ', $this->l['caracteristiques'] ?? [])],
        ];
    }

    private function sale(): array
    {
        $range = Prices::rangeOf($this->l);
        return [
            [__('Price', 'passerelle'), $this->money('prix')], [__('Price range', 'passerelle'), $range === Prices::headline($this->l) && !isset($this->l['prix']) ? null : $range],
            [__('Price per m²', 'passerelle'), $this->money('prixMetreCarre')], [__('Share that the price buys', 'passerelle'), $this->share('partAchetee')],
            [__('Rent for the other share', 'passerelle'), $this->periodic('loyerPart')], [__('Previous price', 'passerelle'), $this->money('prixAncien')],
            [__('Price without fees', 'passerelle'), $this->money('prixHorsHonoraires')], [__('Down payment', 'passerelle'), $this->money('bouquet')],
            [__('Annuity', 'passerelle'), $this->monthly('rente')], [__('Yearly yield', 'passerelle'), $this->share('rendement')],
        ];
    }

    private function rental(): array
    {
        $l = $this->l;
        // Swiss sources name the rent without charges twice.
        $hasBase = isset($l['loyerBase']) && ($l['loyerHorsCharges'] ?? null) !== $l['loyerBase'];
        return array_merge([
            [__('Rent', 'passerelle'), Words::rent($l)], [__('Base rent', 'passerelle'), $hasBase ? $this->monthly('loyerBase') : null],
            [__('Rent supplement', 'passerelle'), $this->monthly('loyerComplement')], [__('Highest reference rent', 'passerelle'), $this->monthly('loyerReferenceMajore')],
            [__('Rents are limited here', 'passerelle'), $this->flag('loyerEncadrement')], [__('Zone of limited rents', 'passerelle'), $this->text('loyerEncadrementZone')],
        ], Rents::parts($l), [
            [__('How charges are paid', 'passerelle'), $this->text('chargesModalite')], [__('Deposit', 'passerelle'), $this->money('depotGarantie')],
        ]);
    }

    private function fees(): array
    {
        $l = $this->l;
        return [
            [__('Agency fees', 'passerelle'), Prices::fees($l)], [__('including inventory', 'passerelle'), $this->money('honorairesEtatDesLieux')],
            [__('Commission', 'passerelle'), $this->text('commission')],
            [__('List of fees', 'passerelle'), isset($l['honorairesBareme']) ? __('See the list of fees', 'passerelle') : null, $l['honorairesBareme'] ?? ''],
            [__('Property tax', 'passerelle'), $this->yearly('taxeFonciere')], [__('Council tax band', 'passerelle'), $this->text('bandeCouncilTax')],
            [__('Community fees', 'passerelle'), $this->periodic('fraisCommunaute')],
        ];
    }

    private function availability(): array
    {
        $status = Words::status($this->l);
        return [
            [__('Status', 'passerelle'), $status === '' ? null : $status],
            [__('Available from', 'passerelle'), $this->day('disponibilite') ?? $this->text('disponibiliteTexte')],
            [__('Availability', 'passerelle'), isset($this->l['disponibilite']) ? $this->text('disponibiliteTexte') : null],
            [__('Let to a tenant', 'passerelle'), $this->flag('loue')],
        ];
    }

    private function location(): array
    {
        return [
            [__('Address', 'passerelle'), $this->text('adresse')], [__('District', 'passerelle'), $this->text('quartier')], [__('Region', 'passerelle'), $this->text('region')],
        ];
    }

    private function documents(): array
    {
        $l = $this->l;
        $rows = [
            [__('Virtual tour', 'passerelle'), isset($l['visiteVirtuelle']) ? __('Open the tour', 'passerelle') : null, $l['visiteVirtuelle'] ?? ''],
            [__('Video', 'passerelle'), isset($l['video']) ? __('Watch the video', 'passerelle') : null, $l['video'] ?? ''],
        ];
        foreach (['plans' => [__('Floor plan', 'passerelle'), __('Open the plan', 'passerelle')], 'documents' => [__('Document', 'passerelle'), __('Open the document', 'passerelle')]] as $field => [$name, $open]) {
            $links = array_values(array_filter($l[$field] ?? [], static fn($link): bool => is_array($link) && isset($link['url'])));
            foreach ($links as $at => $link) {
                $rows[] = [count($links) > 1 ? "$name " . Numbers::format($at + 1) : $name, $link['titre'] ?? $open, $link['url']];
            }
        }
        return $rows;
    }

    private function project(): array
    {
        return [
            [__('Name', 'passerelle'), $this->text('programmeNom')], [__('Units', 'passerelle'), $this->figure('programmeLots')],
            [__('Areas', 'passerelle'), Prices::range($this->l['surfacePlage'] ?? [], [Words::class, 'area'])],
            [__('Rooms of the units', 'passerelle'), Prices::range($this->l['piecesPlage'] ?? [], [Words::class, 'figure'])],
        ];
    }

    private function tenure(): array
    {
        $service = $this->periodic('chargesService');
        $isBritish = Words::isBritish($this->l);
        return [
            [__('Tenure', 'passerelle'), $this->text('regimePropriete')], [__('Years left on the lease', 'passerelle'), $this->figure('bailAnnees')],
            [__('Ground rent', 'passerelle'), $this->periodic('redevanceFonciere')],
            [__('Service charge', 'passerelle'), $service ?? ($isBritish ? $this->yearly('coproCharges') : null)],
        ];
    }

    private function coOwnership(): array
    {
        return Words::isBritish($this->l) ? [] : [
            [__('Part of a co-ownership', 'passerelle'), $this->flag('copropriete')], [__('Lots', 'passerelle'), $this->figure('coproLots')],
            [__('Yearly charges', 'passerelle'), $this->money('coproCharges')], [__('Proceedings under way', 'passerelle'), $this->flag('coproProcedure')],
        ];
    }

    private function energy(): array
    {
        $costs = implode(' – ', array_filter([$this->money('dpeCoutMin'), $this->money('dpeCoutMax')]));
        return [
            [__('Date of the certificate', 'passerelle'), $this->day('dpeDate')], [__('Method', 'passerelle'), $this->text('dpeVersion')],
            [__('Final energy', 'passerelle'), isset($this->l['dpeEnergieFinale']) ? Words::figure($this->l['dpeEnergieFinale']) . (Words::isFrench($this->l) ? ' kWh/m²/an' : ' kWh/m²') : null],
            [__('Estimated yearly energy costs', 'passerelle'), $costs], [__('Energy prices of', 'passerelle'), $this->text('dpeAnneeReference')],
        ];
    }

    private function planning(): array
    {
        return [
            [__('Planning permission issued', 'passerelle'), $this->flag('permisUrbanisme')], [__('Land use', 'passerelle'), $this->text('affectationUrbanisme')],
            [__('Proceedings for a planning offence', 'passerelle'), $this->flag('citationUrbanisme')], [__('Right of pre-emption', 'passerelle'), $this->flag('droitPreemption')],
            [__('Permit to divide the land', 'passerelle'), $this->flag('permisLotir')], [__('Flood score of the plot (P)', 'passerelle'), $this->text('inondationP')],
            [__('Flood score of the building (G)', 'passerelle'), $this->text('inondationG')], [__('Flood area', 'passerelle'), $this->text('inondationZone')],
            [__('Information on risks is due', 'passerelle'), $this->flag('georisques')], [__('The owner must clear brush', 'passerelle'), $this->flag('debroussaillement')],
            [__('Cadastral income', 'passerelle'), $this->money('revenuCadastral')], [__('Cadastral category', 'passerelle'), $this->text('categorieCadastrale')],
            [__('Licence of habitation', 'passerelle'), $this->text('cedulaHabitabilite')],
        ];
    }

    /** The material information of British adverts, in its own order. */
    private function information(): array
    {
        return array_map(static fn(array $fact): array => [$fact['sujet'] ?? '', $fact['texte'] ?? ''], array_filter($this->l['informations'] ?? [], 'is_array'));
    }

    private function mandate(): array
    {
        return [
            [__('Reference', 'passerelle'), $this->text('affNum')], [__('Mandate no.', 'passerelle'), $this->text('mandatNum')],
            [__('Kind of mandate', 'passerelle'), $this->text('mandatType')], [__('Exclusive', 'passerelle'), $this->flag('exclusivite')],
            [__('Registration no. of the short let', 'passerelle'), $this->text('numeroEnregistrement')],
            [__('Card of the agency', 'passerelle'), $this->text('agenceCarte')], [__('Status of the agent', 'passerelle'), $this->text('negoStatut')],
            [__('Registration of the agent', 'passerelle'), $this->text('negoCarte')], [__('Updated on', 'passerelle'), $this->day('dateModification')],
        ];
    }

    private function text(string $field): ?string
    {
        $value = $this->l[$field] ?? null;
        return is_scalar($value) ? (string) $value : null;
    }

    private function money(string $field): ?string
    {
        return isset($this->l[$field]) ? Words::money($this->l[$field], $this->l) : null;
    }

    private function monthly(string $field): ?string
    {
        return isset($this->l[$field]) ? $this->money($field) . ' ' . __('per month', 'passerelle') : null;
    }

    private function yearly(string $field): ?string
    {
        return isset($this->l[$field]) ? $this->money($field) . ' ' . __('per year', 'passerelle') : null;
    }

    private function periodic(string $field): ?string
    {
        return isset($this->l[$field]['montant']) ? Words::periodic($this->l[$field], $this->l) : null;
    }

    private function share(string $field): ?string
    {
        return isset($this->l[$field]) ? Prices::share($this->l[$field]) : null;
    }

    private function figure(string $field): ?string
    {
        return isset($this->l[$field]) ? Words::figure($this->l[$field]) : null;
    }

    private function area(string $field): ?string
    {
        return isset($this->l[$field]) ? Words::area($this->l[$field]) : null;
    }

    private function flag(string $field): ?string
    {
        return isset($this->l[$field]) ? ($this->l[$field] ? __('Yes', 'passerelle') : __('No', 'passerelle')) : null;
    }

    private function day(string $field): ?string
    {
        return isset($this->l[$field]) ? Numbers::day($this->l[$field]) : null;
    }
}
