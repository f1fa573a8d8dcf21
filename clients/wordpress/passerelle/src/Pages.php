<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** The list and the page of a listing, for themes without support for listings. */
final class Pages
{
    private const PER_PAGE = 24;
    public const ORDERS = ['recent', 'cheap', 'dear', 'large'];
    private const MOST_FAVOURITES = 100;

    /** Rent periods as UN/CEFACT codes. */
    private const UNITS = [
        'jour' => [1, 'DAY'], 'semaine' => [1, 'WEE'], 'quinzaine' => [2, 'WEE'], 'mois' => [1, 'MON'], 'trimestre' => [3, 'MON'],
        'semestre' => [6, 'MON'], 'an' => [1, 'ANN'],
    ];

    public static function register(): void
    {
        add_filter('template_include', [self::class, 'template'], 20);
        add_action('pre_get_posts', [self::class, 'query']);
        add_filter('posts_clauses', [self::class, 'clauses'], 10, 2);
        add_action('init', static function (): void {
            wp_register_style('passerelle', plugins_url('assets/style.css', FILE), [], VERSION);
            // Inlined like WordPress's small styles, because browsers render nothing before external styles have
            // loaded.
            wp_style_add_data('passerelle', 'path', dirname(FILE) . '/assets/style.css');
        }, 9);
        add_action('wp_enqueue_scripts', [self::class, 'style']);
        // WordPress only puts small styles into the page; without these styles browsers show nothing.
        add_filter('styles_inline_size_limit', static fn($limit): int => (int) $limit + (wp_style_is('passerelle') ? (int) filesize(dirname(FILE) . '/assets/style.css') : 0));
        // Several parts of the page show its photos, and those of similar listings: one query reads them.
        add_action('template_redirect', static function (): void {
            if (is_singular(PostType::NAME)) {
                $postId = (int) get_queried_object_id();
                Photos::prime(array_merge([$postId], Similar::of($postId)));
            }
        });
        add_action('wp_head', [self::class, 'schema']);
        add_filter('post_thumbnail_html', [self::class, 'thumbnail'], 10, 2);
        add_filter('has_post_thumbnail', [self::class, 'hasThumbnail'], 10, 2);
    }

    /** A theme can replace the template with a file `passerelle/archive.php` or `passerelle/single.php`. */
    public static function template(string $template): string
    {
        $name = is_post_type_archive(PostType::NAME) ? 'archive' : (is_singular(PostType::NAME) ? 'single' : null);
        if ($name === null) {
            return $template;
        }
        $ofTheme = locate_template("passerelle/$name.php");
        return $ofTheme !== '' ? $ofTheme : dirname(FILE) . "/templates/$name.php";
    }

    public static function query(\WP_Query $query): void
    {
        if (!is_admin() && $query->is_main_query() && $query->is_post_type_archive(PostType::NAME)) {
            $query->set('posts_per_page', self::PER_PAGE);
            $query->set('passerelle', self::filters());
        }
    }

    /** The visitor's filters. An invalid value is ignored. @return array<string, mixed> */
    public static function filters(): array
    {
        return self::filtersOf(wp_unslash($_GET)); // phpcs:ignore -- it only filters
    }

    /** The filters in block attributes or request parameters. Ignores invalid values. @return array<string, mixed> */
    public static function filtersOf(array $given): array
    {
        // Checkboxes send lists.
        $joined = static fn(string $name, $value) => is_array($value) ? implode($name === 'ville' ? '|' : ',', array_filter($value, 'is_string')) : $value;
        $given = array_combine(array_keys($given), array_map($joined, array_map('strval', array_keys($given)), $given));
        $given = array_map(static fn($value): string => is_scalar($value) ? trim((string) $value) : '', $given);
        $amount = static function (string $name) use ($given): ?int {
            $digits = preg_replace('/[\s\x{a0}\x{202f}€£$.]/u', '', $given[$name] ?? '');
            return is_string($digits) && preg_match('/^\d{1,12}$/', $digits) === 1 ? (int) $digits : null;
        };
        $word = static fn(string $name, array $words): ?string => in_array(strtolower($given[$name] ?? ''), $words, true) ? strtolower($given[$name]) : null;
        return [
            'offre' => $word('offre', array_keys(Words::offers())), 'bien' => $word('bien', array_keys(Words::kinds())),
            'prix_min' => $amount('prix_min'), 'prix_max' => $amount('prix_max'),
            'devise' => preg_match('/^[a-z]{3}$/i', $given['devise'] ?? '') === 1 ? strtoupper($given['devise']) : null,
            'surface_min' => $amount('surface_min'), 'favoris' => self::favourites($given['favoris'] ?? ''), 'tri' => $word('tri', self::ORDERS) ?? 'recent',
        ] + Search::further($given);
    }

    /** Favourite posts, separated by commas. */
    private static function favourites(string $given): ?string
    {
        preg_match_all('/\d{1,18}/', $given, $found);
        return $found[0] === [] ? null : implode(',', array_slice($found[0], -self::MOST_FAVOURITES));
    }

    /**
     * Joins the table, whose figures are indexed by post. A page in another language uses the row of its original page.
     */
    public static function clauses(array $clauses, \WP_Query $query): array
    {
        global $wpdb;
        $filters = $query->get('passerelle');
        if (!is_array($filters)) {
            return $clauses;
        }
        $clauses['join'] .= ' JOIN ' . Table::name() . " psr ON psr.post_id = IF($wpdb->posts.post_parent = 0, $wpdb->posts.ID, $wpdb->posts.post_parent) AND psr.gone_at IS NULL";
        $clauses['where'] .= Search::where($filters);
        $clauses['orderby'] = Search::order($filters);
        return $clauses;
    }

    /**
     * If a page has content of the plugin, loads the styles in the head, because later styles would move the content.
     */
    public static function style(): void
    {
        $post = is_singular() ? get_post() : null;
        // Elementor stores shortcodes outside the post's content.
        $content = $post === null ? '' : $post->post_content . (string) get_post_meta($post->ID, '_elementor_data', true);
        if (is_post_type_archive(PostType::NAME) || is_singular(PostType::NAME) || preg_match('#<!-- wp:passerelle/|\[passerelle_#', $content) === 1) {
            wp_enqueue_style('passerelle');
        }
    }

    /** Query of a plain permalink as form fields, because a GET form would lose the query. */
    public static function hiddenFields(string $action): string
    {
        parse_str((string) parse_url($action, PHP_URL_QUERY), $query);
        $fields = '';
        foreach (array_filter($query, 'is_string') as $name => $value) {
            $fields .= sprintf('<input type="hidden" name="%s" value="%s">', esc_attr((string) $name), esc_attr($value));
        }
        return $fields;
    }

    /** Renders the page in the theme's frame, for block themes and classic themes. */
    public static function frame(callable $body): void
    {
        if (!wp_is_block_theme()) {
            get_header();
            $body();
            get_footer();
            return;
        }
        // Rendering the blocks first registers the styles that the head must contain.
        $part = static fn(string $name): string => do_blocks(sprintf('<!-- wp:template-part {"slug":"%1$s","theme":"%2$s","tagName":"%1$s"} /-->', $name, get_stylesheet()));
        [$header, $footer] = [$part('header'), $part('footer')];
        ?><!doctype html>
<html <?php language_attributes(); ?>>
<head><meta charset="<?php bloginfo('charset'); ?>"><meta name="viewport" content="width=device-width, initial-scale=1"><?php wp_head(); ?></head>
<body <?php body_class(); ?>><?php wp_body_open(); ?><div class="wp-site-blocks"><?php
        echo $header; // phpcs:ignore -- rendered blocks
        $body();
        echo $footer; // phpcs:ignore -- rendered blocks
        ?></div><?php wp_footer(); ?></body></html><?php
    }

    /** The filter form, which leads to an address with a list. */
    public static function searchForm(string $action): void
    {
        Share::script();
        require dirname(FILE) . '/templates/search.php';
    }

    /** A card in a list. @param int $place its position; the first two photos are visible without scrolling */
    public static function card(int $postId, int $place = 2): void
    {
        $haste = ['fetchpriority="high"', ''][$place] ?? 'loading="lazy"';
        require dirname(FILE) . '/templates/card.php';
    }

    /**
     * A photo at a suitable width, or a placeholder without a photo. @param string $haste attributes that set the
     * loading priority
     */
    public static function photo(array $listing, ?array $photo, int $width, string $haste = 'loading="lazy"'): string
    {
        if ($photo === null) {
            return '<span class="psr-photo psr-none">' . esc_html__('No photo', 'passerelle') . '</span>';
        }
        $widths = Photos::widths($photo);
        return sprintf(
            '<img class="psr-photo" src="%s"%s alt="%s" width="%d" height="%d" decoding="async" %s>',
            esc_url(Photos::address($photo, $width)),
            // Only the first photo of a page is wide; cards and other gallery photos are side by side.
            $widths === '' ? '' : sprintf(' srcset="%s" sizes="%s"', esc_attr($widths), $width > 640 ? '(min-width: 48rem) 50vw, 90vw' : '(min-width: 48rem) 22rem, 90vw'),
            esc_attr($photo['legende'] ?? Words::title($listing)),
            $photo['largeur'] ?? 800,
            $photo['hauteur'] ?? 600,
            $haste
        );
    }

    /**
     * In France, shows the two mandatory scales with the listing's class; elsewhere, the content of the certificate.
     */
    public static function energy(array $listing): string
    {
        return Words::isFrench($listing) ? self::scales($listing) : self::certificate($listing['energie'] ?? []);
    }

    private static function certificate(array $figures): string
    {
        $words = [
            'energie-primaire' => __('Primary energy', 'passerelle'), 'energie-finale' => __('Final energy', 'passerelle'),
            'besoin-chauffage' => __('Heating demand', 'passerelle'), 'facteur-efficacite' => __('Efficiency factor', 'passerelle'),
            'emissions' => __('Emissions', 'passerelle'), 'enveloppe' => __('Envelope of the building', 'passerelle'),
            'note' => __('Rating', 'passerelle'), 'note-potentielle' => __('Possible rating', 'passerelle'),
        ];
        $rows = '';
        foreach ($figures as $figure) {
            /* translators: %s: a letter from A to G */
            $class = isset($figure['classe']) ? sprintf(__('class %s', 'passerelle'), $figure['classe']) : '';
            $value = isset($figure['valeur']) ? trim(Words::figure($figure['valeur']) . ' ' . ($figure['unite'] ?? '')) : '';
            $told = implode(' · ', array_filter([ucfirst($class), $value]));
            $rows .= $told === '' ? '' : sprintf('<div><dt>%s</dt><dd>%s</dd></div>', esc_html($words[$figure['grandeur'] ?? ''] ?? __('Energy', 'passerelle')), esc_html($told));
        }
        return $rows === '' ? '' : "<dl>$rows</dl>";
    }

    private static function scales(array $listing): string
    {
        $scale = static function (string $kind, string $title, ?string $letter, ?string $value): string {
            $letters = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
            $words = ['VI' => __('blank certificate', 'passerelle'), 'NS' => __('not subject to a certificate', 'passerelle')];
            /* translators: %s: a letter from A to G */
            $said = in_array($letter, $letters, true) ? sprintf(__('class %s', 'passerelle'), $letter) : ($words[$letter ?? ''] ?? $letter ?? __('not given', 'passerelle'));
            $bars = implode('', array_map(static fn(string $one): string => sprintf('<li class="psr-%s-%s%s">%s</li>', $kind, $one, $one === $letter ? ' psr-here' : '', $one), $letters));
            return sprintf('<div class="psr-scale"><h3>%s</h3><ol aria-hidden="true">%s</ol><p>%s%s</p></div>', esc_html($title), $bars, esc_html(ucfirst($said)), $value === null ? '' : ' · ' . esc_html($value));
        };
        $with = static fn(string $field, string $unit): ?string => isset($listing[$field]) ? Words::figure($listing[$field]) . " $unit" : null;
        return '<div class="psr-scales">' .
            $scale('dpe', __('Energy', 'passerelle'), $listing['dpeClasse'] ?? null, $with('dpeValeur', 'kWh/m²/an')) .
            $scale('ges', __('Climate', 'passerelle'), $listing['gesClasse'] ?? null, $with('gesValeur', 'kg CO₂/m²/an')) . '</div>';
    }

    /** Structured data for search engines: the offer, its location and its price. */
    public static function schema(): void
    {
        $postId = is_singular(PostType::NAME) ? (int) get_queried_object_id() : 0;
        $l = $postId === 0 ? [] : PostType::listing($postId);
        if ($l === []) {
            return;
        }
        $types = ['appartement' => 'Apartment', 'loft' => 'Apartment', 'maison' => 'House', 'chateau' => 'House', 'hotel-particulier' => 'House'];
        $filled = static fn(array $members): array => array_filter($members, static fn($value): bool => $value !== null && $value !== []);
        $about = $filled([
            '@type' => $types[$l['typeCode'] ?? ''] ?? 'Place', 'name' => Words::title($l),
            'address' => $filled(['@type' => 'PostalAddress', 'streetAddress' => $l['adresse'] ?? null, 'postalCode' => $l['codePostal'] ?? null, 'addressLocality' => $l['ville'] ?? null, 'addressCountry' => $l['pays'] ?? null]),
            'geo' => isset($l['latitude'], $l['longitude']) ? ['@type' => 'GeoCoordinates', 'latitude' => $l['latitude'], 'longitude' => $l['longitude']] : null,
        ] + (isset($types[$l['typeCode'] ?? '']) ? [
            'floorSize' => isset($l['surfaceHabitable']) ? ['@type' => 'QuantitativeValue', 'value' => $l['surfaceHabitable'], 'unitCode' => 'MTK'] : null,
            'numberOfRooms' => $l['nbrePieces'] ?? null, 'numberOfBedrooms' => $l['nbreChambres'] ?? null,
        ] : []));
        $rent = Prices::isRent($l) ? Words::rentOf($l) : null;
        $price = $rent[0] ?? $l['prix'] ?? null;
        $isTaken = PostType::isGone($postId) || in_array($l['statut'] ?? '', ['vendu', 'loue'], true);
        $data = $filled([
            '@context' => 'https://schema.org', '@type' => 'RealEstateListing', 'url' => get_permalink($postId), 'name' => Words::title($l),
            'description' => $l['commentaires'] ?? null, 'datePosted' => get_the_date('c', $postId), 'mainEntity' => $about,
            'image' => array_values(array_filter(array_map(static fn(array $photo): string => Photos::address($photo, 1600), array_slice(Photos::shown($postId, $l), 0, 6)))),
            'offers' => $price === null ? null : $filled([
                '@type' => 'Offer', 'price' => $price, 'priceCurrency' => $l['prixCurrency'] ?? 'EUR',
                'availability' => 'https://schema.org/' . ($isTaken ? 'SoldOut' : 'InStock'),
                'businessFunction' => 'http://purl.org/goodrelations/v1#' . ($rent === null ? 'Sell' : 'LeaseOut'),
                'priceSpecification' => $rent === null ? null : [
                    '@type' => 'UnitPriceSpecification', 'price' => $price, 'priceCurrency' => $l['prixCurrency'] ?? 'EUR',
                    'referenceQuantity' => ['@type' => 'QuantitativeValue', 'value' => self::UNITS[$rent[1]][0], 'unitCode' => self::UNITS[$rent[1]][1]],
                ],
            ]),
        ]);
        foreach ([$data, Breadcrumbs::schema($postId, $l)] as $object) {
            echo '<script type="application/ld+json">' . wp_json_encode($object, JSON_HEX_TAG | JSON_HEX_AMP | JSON_UNESCAPED_UNICODE) . "</script>\n";
        }
    }

    /** If no photo was imported, shows the linked photo as the post's thumbnail. */
    public static function thumbnail(string $html, int $postId): string
    {
        if ($html !== '' || get_post_type($postId) !== PostType::NAME) {
            return $html;
        }
        $listing = PostType::listing($postId);
        $photo = Photos::shown($postId, $listing)[0] ?? null;
        return $photo === null ? '' : self::photo($listing, $photo, 640);
    }

    /** @param int|\WP_Post|null $post */
    public static function hasThumbnail(bool $has, $post): bool
    {
        $postId = (int) (get_post($post)->ID ?? 0);
        return $has || (get_post_type($postId) === PostType::NAME && (PostType::listing($postId)['photos'] ?? []) !== []);
    }
}
