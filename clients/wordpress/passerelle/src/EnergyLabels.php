<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** Energy labels in each country's design: SVG in the page, with the same content in words. */
final class EnergyLabels
{
    private const A_TO_G = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
    private const FRENCH = ['en-cours' => 'en cours', 'non-soumis' => 'non soumis', 'vierge' => 'vierge'];
    private const GERMAN = ['en-cours' => 'in Bearbeitung', 'non-soumis' => 'nicht erforderlich', 'vierge' => 'ohne Angabe'];
    private const DUTCH = ['en-cours' => 'in aanvraag', 'non-soumis' => 'vrijgesteld', 'vierge' => 'blanco'];
    private const ENGLISH = ['en-cours' => 'being prepared', 'non-soumis' => 'exempt', 'vierge' => 'not rated'];

    /**
     * Each scale has a language, a title, classes from best to worst, chart columns, words for a missing class, and
     * perhaps one band as chart.
     */
    private const LABELS = [
        'FR-DPE' => ['fr', 'Diagnostic de performance énergétique', self::A_TO_G, [['energie-primaire' => 'Énergie'], ['emissions' => 'Climat (GES)']], self::FRENCH],
        'BE-VLG' => ['nl', 'EPC (Vlaanderen)', ['A+', 'A', 'B', 'C', 'D', 'E', 'F'], [['energie-primaire' => 'Energiescore']], self::DUTCH, true],
        'BE-WAL' => ['fr', 'Certificat PEB (Wallonie)', ['A++', 'A+', 'A', 'B', 'C', 'D', 'E', 'F', 'G'], [['energie-primaire' => 'Énergie primaire']], self::FRENCH],
        'BE-BRU' => ['fr', 'Certificat PEB (Bruxelles)', ['A++', 'A+', 'A', 'A-', 'B+', 'B', 'B-', 'C+', 'C', 'C-', 'D+', 'D', 'D-', 'E+', 'E', 'E-', 'F', 'G'], [['energie-primaire' => 'Énergie primaire']], self::FRENCH],
        'DE-GEG' => ['de', 'Energieausweis', ['A+', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'], [['energie-finale' => 'Endenergie']], self::GERMAN, true],
        'AT-EAVG' => ['de', 'Energieausweis', ['A++', 'A+', 'A', 'B', 'C', 'D', 'E', 'F', 'G'], [['besoin-chauffage' => 'HWB', 'energie-primaire' => 'PEB', 'emissions' => 'CO₂', 'facteur-efficacite' => 'fGEE']], self::GERMAN],
        'ES-CEE' => ['es', 'Calificación energética', self::A_TO_G, [['energie-primaire' => 'Consumo', 'emissions' => 'Emisiones']], ['en-cours' => 'en trámite', 'non-soumis' => 'exento', 'vierge' => 'en blanco']],
        'IT-APE' => ['it', 'Attestato di prestazione energetica', ['A4', 'A3', 'A2', 'A1', 'B', 'C', 'D', 'E', 'F', 'G'], [['energie-primaire' => 'Prestazione globale']], ['en-cours' => 'in corso', 'non-soumis' => 'esente', 'vierge' => 'non indicata']],
        'NL-EPL' => ['nl', 'Energielabel', ['A++++', 'A+++', 'A++', 'A+', 'A', 'B', 'C', 'D', 'E', 'F', 'G'], [['energie-primaire' => 'Energielabel']], self::DUTCH],
        'PT-SCE' => ['pt', 'Certificado energético', ['A+', 'A', 'B', 'B-', 'C', 'D', 'E', 'F'], [['energie-primaire' => 'Classe']], ['en-cours' => 'em curso', 'non-soumis' => 'isento', 'vierge' => 'em branco']],
        'CH-GEAK' => ['de', 'GEAK / CECB', self::A_TO_G, [['enveloppe' => 'Gebäudehülle', 'energie-primaire' => 'Gesamtenergie', 'emissions' => 'CO₂']], self::GERMAN],
        'UK-EPC' => ['en', 'Energy performance certificate', self::A_TO_G, [['note' => 'Current', 'note-potentielle' => 'Potential']], self::ENGLISH],
        'LU-CPE' => ['fr', 'Passeport énergétique', ['A+', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I'], [['energie-primaire' => 'Énergie', 'besoin-chauffage' => 'Isolation', 'emissions' => 'CO₂']], self::FRENCH],
        'IE-BER' => ['en', 'Building energy rating', ['A1', 'A2', 'A3', 'B1', 'B2', 'B3', 'C1', 'C2', 'C3', 'D1', 'D2', 'E1', 'E2', 'F', 'G'], [['energie-primaire' => 'BER']], self::ENGLISH],
    ];

    private const GREEN_TO_RED = ['#00843d', '#2fa84f', '#7fbf3f', '#bfd730', '#f4e70f', '#f7c315', '#f39a1e', '#eb6a23', '#c81d1a'];
    private const PALE_TO_DARK = ['#a4dbf8', '#8cb4d3', '#8ea7c4', '#5b6a89', '#4d5271', '#393551', '#281b35'];
    private const OF_FRANCE = ['#00a06d', '#52b153', '#a5cc74', '#f4e70f', '#f0b50f', '#eb8235', '#c81d1a'];
    private const ROW = 26;
    private const ARROWS = 190;
    private const COLUMN = 112;
    private const CELL = 40;

    /** The label of a listing's energy certificate; empty without a certificate. */
    public static function html(array $listing): string
    {
        $figures = $listing['energie'] ?? [];
        $scales = array_values(array_filter(array_column($figures, 'echelle')));
        $label = self::LABELS[$scales[0] ?? ''] ?? null;
        if ($label === null) {
            return '';
        }
        [$language, $title, $classes, $charts, $states] = $label;
        $html = '';
        foreach ($charts as $place => $columns) {
            $told = [];
            foreach ($columns as $quantity => $name) {
                $one = self::told($figures, $quantity, $name, $states);
                if ($one !== null) {
                    $told[] = $one;
                }
            }
            if ($told === []) {
                continue;
            }
            $words = $title . '. ' . implode('. ', array_column($told, 'words'));
            $colours = $scales[0] !== 'FR-DPE' ? self::GREEN_TO_RED : ($place === 0 ? self::OF_FRANCE : self::PALE_TO_DARK);
            $svg = array_filter(array_column($told, 'classe')) === [] ? '' :
                (isset($label[5]) ? self::band($classes, $told, $words) : self::arrows($classes, $told, $words, $colours));
            $lines = implode('', array_map(static fn(array $one): string => '<p>' . esc_html($one['words']) . '</p>', $told));
            $html .= sprintf('<figure class="psr-scale" lang="%s">%s<figcaption>%s</figcaption></figure>', $language, $svg, $lines);
        }
        return $html === '' ? '' : '<div class="psr-scales">' . $html . '</div>';
    }

    /** The sentences that the country's law requires, each in its language. */
    public static function mentions(array $listing): string
    {
        $lines = array_map(
            static fn(array $mention): string => sprintf('<li lang="%s">%s</li>', esc_attr($mention['langue']), esc_html($mention['texte'])),
            $listing['mentions'] ?? []
        );
        return $lines === [] ? '' : '<ul class="psr-mentions">' . implode('', $lines) . '</ul>';
    }

    /** @return array{name: string, classe: string, value: string, words: string}|null */
    private static function told(array $figures, string $quantity, string $name, array $states): ?array
    {
        $all = array_values(array_filter($figures, static fn(array $one): bool => $one['grandeur'] === $quantity));
        $having = array_values(array_filter($all, static fn(array $one): bool => isset($one['classe'])));
        $figure = $having[0] ?? $all[0] ?? [];
        $value = isset($figure['valeur']) ? trim(Words::figure($figure['valeur']) . ' ' . ($figure['unite'] ?? '')) : '';
        $classe = (string) ($figure['classe'] ?? '');
        $said = array_filter([$classe, $value, $states[$figure['statut'] ?? ''] ?? ''], static fn(string $part): bool => $part !== '');
        return $said === [] ? null : ['name' => $name, 'classe' => $classe, 'value' => $value, 'words' => "$name: " . implode(', ', $said)];
    }

    /** Draws an arrow per class, longer for worse classes. Each column has a tag in the row of the listing's class. */
    private static function arrows(array $classes, array $told, string $words, array $colours): string
    {
        $body = '';
        $last = count($classes) - 1;
        foreach ($classes as $place => $one) {
            $y = ($place + 1) * self::ROW;
            $colour = $colours[(int) round($place * (count($colours) - 1) / $last)];
            $end = 60 + (int) round((self::ARROWS - 80) * $place / $last);
            $body .= sprintf('<path d="M0 %dH%dl11 11-11 11H0z" fill="%s"/>', $y + 2, $end, $colour) . self::text(8, $y + 18, $one, self::inkOn($colour), 'start');
        }
        foreach ($told as $column => $one) {
            $x = self::ARROWS + $column * self::COLUMN;
            $body .= sprintf('<text x="%d" y="16" fill="#111" font-size="11" text-anchor="middle">%s</text>', $x + self::COLUMN / 2, esc_html($one['name']));
            $place = array_search($one['classe'], $classes, true);
            if ($place !== false) {
                $y = ($place + 1) * self::ROW;
                $width = self::COLUMN - 17;
                $number = explode(' ', $one['value'])[0];
                $body .= sprintf('<path d="M%d %dh%dv24h-%dl-12-12z" fill="#111"/>', $x + 13, $y + 1, $width, $width);
                $body .= self::text($x + (int) (self::COLUMN / 2) + 4, $y + 18, $one['classe'] . ($number === '' ? '' : " · $number"), '#fff');
            }
        }
        return self::picture(self::ARROWS + count($told) * self::COLUMN, ($last + 2) * self::ROW, $words, $body);
    }

    /** Draws one band with all classes and a pointer above the listing's class. */
    private static function band(array $classes, array $told, string $words): string
    {
        $body = '';
        $width = count($classes) * self::CELL;
        foreach ($classes as $place => $one) {
            $colour = self::GREEN_TO_RED[(int) round($place * (count(self::GREEN_TO_RED) - 1) / (count($classes) - 1))];
            $body .= sprintf('<rect x="%d" y="46" width="%d" height="30" fill="%s"/>', $place * self::CELL, self::CELL, $colour);
            $body .= self::text((int) (($place + 0.5) * self::CELL), 66, $one, self::inkOn($colour));
        }
        foreach ($told as $one) {
            $place = array_search($one['classe'], $classes, true);
            if ($place !== false) {
                $x = (int) (($place + 0.5) * self::CELL);
                $body .= sprintf('<path d="M%d 44l-9-14h18z" fill="#111"/>', $x);
                $body .= self::text(min(max($x, 70), $width - 70), 22, $one['value'] === '' ? $one['classe'] : $one['value'], '#111');
            }
        }
        return self::picture($width, 80, $words, $body);
    }

    private static function text(int $x, int $y, string $text, string $ink, string $anchor = 'middle'): string
    {
        return sprintf('<text x="%d" y="%d" fill="%s" font-weight="700" text-anchor="%s">%s</text>', $x, $y, $ink, $anchor, esc_html($text));
    }

    private static function picture(int $width, int $height, string $words, string $body): string
    {
        return sprintf('<svg role="img" aria-label="%s" viewBox="0 0 %d %d" width="%d" height="%d" font-size="14">%s</svg>', esc_attr($words), $width, $height, $width, $height, $body);
    }

    private static function inkOn(string $colour): string
    {
        [$red, $green, $blue] = array_map('hexdec', str_split(substr($colour, 1), 2));
        return $red * 0.299 + $green * 0.587 + $blue * 0.114 > 120 ? '#111' : '#fff';
    }
}
