<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** The destination of listings: the plugin's own pages, or those of an installed plugin or theme. */
abstract class Target
{
    private const LONGEST_TERM = 60;

    abstract public function label(): string;

    abstract public function isAvailable(): bool;

    abstract public function postType(): string;

    /** All post types that this target uses for listings. @return string[] */
    public function postTypes(): array
    {
        return [$this->postType()];
    }

    public function postTypeOf(array $listing): string
    {
        return $this->postType();
    }

    /** Whether this target shows only photos of the media library. */
    public function needsImport(): bool
    {
        return true;
    }

    /** Writes fields and terms, replacing old values; title and text are already written. */
    abstract public function write(int $postId, array $listing): void;

    /** @param int[] $attachments in their order */
    abstract public function photos(int $postId, array $attachments): void;

    /** Sets meta fields, and deletes fields without a value. */
    protected function fields(int $postId, array $fields): void
    {
        foreach ($fields as $name => $value) {
            if ($value === null || $value === '') {
                delete_post_meta($postId, $name);
            } else {
                update_post_meta($postId, $name, wp_slash(is_bool($value) ? (string) (int) $value : self::inert($value)));
            }
        }
    }

    /** Escapes brackets, because themes print fields unchanged; addresses get URL-encoded brackets. */
    private static function inert($value)
    {
        if (is_array($value)) {
            return array_map([self::class, 'inert'], $value);
        }
        if (!is_string($value)) {
            return $value;
        }
        return preg_match('#^https?://\S+$#', $value) === 1 ? strtr($value, ['[' => '%5B', ']' => '%5D']) : Writer::inert($value);
    }

    /** Sets the terms in each existing taxonomy; creates new terms. @param array<string, string|string[]|null> $terms */
    protected function terms(int $postId, array $terms): void
    {
        foreach ($terms as $taxonomy => $names) {
            if (taxonomy_exists($taxonomy)) {
                wp_set_object_terms($postId, array_map([Writer::class, 'inert'], array_values(array_filter((array) $names))), $taxonomy);
            }
        }
    }

    /** The features in words, as in the search, then those of the source. @return string[] */
    protected static function features(array $listing): array
    {
        $known = array_intersect_key(Search::features(), array_filter($listing, static fn($value): bool => $value === true));
        // Some sources write sentences here, which are no terms; the text of the page has them.
        $further = array_filter($listing['caracteristiques'] ?? [], static fn($word): bool => is_string($word) && mb_strlen($word) <= self::LONGEST_TERM);
        return array_values(array_unique(array_merge(array_values($known), $further)));
    }

    /** The words before an amount: those of the source, such as "Offers over", or "From" for a range. */
    protected static function priceWords(array $listing): ?string
    {
        $isRange = !isset($listing['prix']) && isset($listing['prixPlage']['min']) && $listing['prixPlage']['min'] !== ($listing['prixPlage']['max'] ?? null);
        /* translators: %s: an amount, an area or a number */
        return $listing['prixMention'] ?? ($isRange ? trim(sprintf(__('From %s', 'passerelle'), '')) : null);
    }

    /** Plans or documents, with a title. @return array<array{title: string, url: string}> */
    protected static function links(array $listing, string $field, string $title): array
    {
        $links = array_filter($listing[$field] ?? [], static fn($link): bool => is_array($link) && self::isWeb($link['url'] ?? ''));
        return array_map(static fn(array $link): array => ['title' => $link['titre'] ?? $title, 'url' => $link['url']], array_values($links));
    }

    private static function isWeb(string $url): bool
    {
        return preg_match('#^https?://#i', $url) === 1;
    }

    /** A figure of an energy certificate that has no French class, such as `note`: its class or its value. */
    protected static function rating(array $listing, string $quantity, string $member): ?string
    {
        foreach ($listing['energie'] ?? [] as $figure) {
            if (($figure['grandeur'] ?? '') === $quantity && isset($figure[$member])) {
                return (string) $figure[$member];
            }
        }
        return null;
    }

    /** A virtual tour as a frame, for themes whose field is HTML. */
    protected static function tour(array $listing): ?string
    {
        $url = esc_url($listing['visiteVirtuelle'] ?? '', ['http', 'https']);
        return $url === '' ? null : sprintf('<iframe src="%s" title="%s" width="100%%" height="480" loading="lazy" allowfullscreen></iframe>', $url, esc_attr__('Virtual tour', 'passerelle'));
    }

    protected static function place(array $listing): string
    {
        return implode(', ', array_filter([$listing['adresse'] ?? '', trim(($listing['codePostal'] ?? '') . ' ' . ($listing['ville'] ?? ''))]));
    }

    /** The details that the law and visitors require, as name and value or address. @return array<array{0: string, 1: string}> */
    protected static function pairs(array $listing): array
    {
        $subjects = array_values(Words::particulars($listing));
        return array_map(static fn(array $row): array => self::inert([$row[0], self::isWeb($row[2] ?? '') ? $row[2] : $row[1]]), $subjects === [] ? [] : array_merge(...$subjects));
    }

    protected static function isRental(array $listing): bool
    {
        return in_array($listing['typeTransaction'] ?? '', Prices::RENTALS, true);
    }
}

final class OwnPages extends Target
{
    public function label(): string
    {
        return __('The pages of this plugin', 'passerelle');
    }

    public function isAvailable(): bool
    {
        return true;
    }

    public function postType(): string
    {
        return PostType::NAME;
    }

    public function needsImport(): bool
    {
        return false;
    }

    public function write(int $postId, array $listing): void
    {
    }

    public function photos(int $postId, array $attachments): void
    {
    }
}

final class Targets
{
    /** @return array<string, Target> */
    public static function all(): array
    {
        return [
            'own' => new OwnPages(), 'houzez' => new Houzez(), 'propertyhive' => new PropertyHive(), 'realhomes' => new RealHomes(),
            'wpresidence' => new WpResidence(), 'epl' => new EasyPropertyListings(),
        ];
    }

    /** The target with this name. Its theme or plugin may be inactive: then the slice writes nothing. */
    public static function get(string $name): Target
    {
        return self::all()[$name] ?? new OwnPages();
    }
}
