<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** The facts that the law of a country wants in adverts, and that listings lack: what to enter in the CRM. */
final class Duties
{
    /** @return array<string, array{0: string, 1: string}> subject and what to do, by the code in `duties_missing` */
    private static function all(): array
    {
        $energy = __('Enter the energy certificate in your CRM, with every figure that it has.', 'passerelle');
        return [
            'fr-dpe' => [__('Energy and climate class (DPE)', 'passerelle'), __('Enter both classes of the DPE, for a dwelling for sale or to let. If it needs none, say so in the CRM.', 'passerelle')],
            'fr-consommation-excessive' => [__('Words for the classes F and G', 'passerelle'), __('Enter the class of the DPE: for F and G the gateway then adds the words that the law wants.', 'passerelle')],
            'fr-depenses-energie' => [__('Yearly energy costs', 'passerelle'), __('Enter the lowest and highest costs of the DPE, and the year of their prices.', 'passerelle')],
            'fr-georisques' => [__('Natural and technological risks', 'passerelle'), __('Say in the CRM that the property is exposed to risks, or add the sentence with www.georisques.gouv.fr to the text.', 'passerelle')],
            'fr-honoraires' => [__('Agency fees of a sale', 'passerelle'), __('Enter who pays the fees. If the buyer pays them, enter their share and the price without them.', 'passerelle')],
            'fr-copropriete' => [__('Co-ownership', 'passerelle'), __('Enter the number of lots, the yearly charges, and whether there are proceedings.', 'passerelle')],
            'fr-loyer-charges' => [__('Rent with charges', 'passerelle'), __('Enter the monthly rent with charges, the charges, and how they are settled.', 'passerelle')],
            'fr-depot-garantie' => [__('Deposit', 'passerelle'), __('Enter the deposit; 0 if there is none.', 'passerelle')],
            'fr-honoraires-locataire' => [__('Fees of the tenant', 'passerelle'), __('Enter the fees that the tenant pays, with VAT.', 'passerelle')],
            'fr-etat-des-lieux' => [__('Cost of the inventory', 'passerelle'), __('Enter the cost of the inventory, if the tenant pays fees.', 'passerelle')],
            'fr-encadrement-loyer' => [__('Limited rents', 'passerelle'), __('Enter the base rent, the highest reference rent, and the supplement if there is one.', 'passerelle')],
            'de-energieausweis' => ['Energieausweis', $energy], 'it-prestazione-energetica' => ['Prestazione energetica', $energy], 'es-certificado-energetico' => ['Certificado energético', $energy],
            'be-vlg-epc' => ['EPC (Vlaanderen)', $energy], 'be-wal-peb' => ['PEB (Wallonie)', $energy], 'be-bru-peb' => ['PEB (Bruxelles)', $energy], 'nl-energielabel' => ['Energielabel', $energy],
            'at-energieausweis' => ['Energieausweis (HWB, fGEE)', $energy], 'pt-classe-energetica' => ['Classe energética', $energy], 'lu-passeport-energetique' => ['Passeport énergétique', $energy], 'gb-epc' => ['EPC', $energy],
            'be-vlg-overstroming' => ['Overstromingsgevoeligheid', __('Enter the P-score and, if there is a building, the G-score.', 'passerelle')],
            'be-vlg-stedenbouw' => ['Stedenbouwkundige informatie', __('Enter the five planning facts: permit, destination, summons or measures, pre-emption, division of land.', 'passerelle')],
            'es-numero-registro' => ['Número de registro', __('Enter the registration number of the short let.', 'passerelle')],
            'gb-council-tax' => ['Council tax', __('Enter the council tax band.', 'passerelle')],
            'gb-tenure' => ['Tenure', __('Enter the tenure and, for a lease, its remaining years.', 'passerelle')],
            'gb-price' => ['Price', __('Enter the price or the rent.', 'passerelle')],
            'gb-deposit' => [__('Deposit', 'passerelle'), __('Enter the deposit; 0 if there is none.', 'passerelle')],
        ];
    }

    /** A line that opens for each duty, the most frequent first. @param mixed $missing `duties_missing` of the gateway */
    public static function html($missing): string
    {
        $counts = array_filter(is_array($missing) ? $missing : [], static fn($count): bool => is_int($count) && $count > 0);
        if ($counts === []) {
            return '';
        }
        arsort($counts);
        $html = '<h3>' . esc_html__('Facts that the law wants and your listings lack', 'passerelle') . '</h3>';
        foreach ($counts as $code => $count) {
            // A newer gateway may know more duties than this plugin.
            [$subject, $advice] = self::all()[$code] ?? [(string) $code, __('Ask the operator of the gateway what this is.', 'passerelle')];
            /* translators: %s: number of listings */
            $listings = sprintf(_n('%s listing', '%s listings', $count, 'passerelle'), Numbers::format($count));
            $html .= sprintf('<details class="psr-duty"><summary>%s: %s</summary><p>%s</p></details>', esc_html($subject), esc_html($listings), esc_html($advice));
        }
        return $html . '<p>' . esc_html__('The next list has what you enter in the CRM. Your operator can say which listings these are.', 'passerelle') . '</p>';
    }
}
