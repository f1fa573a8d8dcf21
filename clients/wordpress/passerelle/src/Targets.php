<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** The destination of listings: the plugin's own pages, or those of an installed plugin or theme. */
abstract class Target
{
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

    /** Sets one term in each existing taxonomy; creates new terms. */
    protected function terms(int $postId, array $terms): void
    {
        foreach ($terms as $taxonomy => $term) {
            if (taxonomy_exists($taxonomy)) {
                wp_set_object_terms($postId, $term === null || $term === '' ? [] : [Writer::inert($term)], $taxonomy);
            }
        }
    }

    protected static function place(array $listing): string
    {
        return implode(', ', array_filter([$listing['adresse'] ?? '', trim(($listing['codePostal'] ?? '') . ' ' . ($listing['ville'] ?? ''))]));
    }

    /** The details that the law and visitors require, as name and value or address. @return array<array{0: string, 1: string}> */
    protected static function pairs(array $listing): array
    {
        $subjects = array_values(Words::particulars($listing));
        return array_map(static fn(array $row): array => self::inert([$row[0], ($row[2] ?? '') === '' ? $row[1] : $row[2]]), $subjects === [] ? [] : array_merge(...$subjects));
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
