<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/** Formats numbers, amounts and dates by the rules of the reader's language, even if WordPress has no language pack. */
final class Numbers
{
    /** The decimal mark and the thousands separator, by language, or by language and country. */
    private const MARKS = [
        'en' => ['.', ','], 'fr' => [',', "\u{a0}"], 'de' => [',', '.'], 'es' => [',', '.'], 'it' => [',', '.'], 'nl' => [',', '.'],
        'de_CH' => ['.', '’'], 'it_CH' => ['.', '’'],
    ];
    /** Where the currency precedes the amount, with a space. */
    private const CURRENCY_FIRST = ['nl' => true, 'de_AT' => true, 'de_CH' => true, 'it_CH' => true];
    private const SYMBOLS = ['EUR' => '€', 'GBP' => '£', 'USD' => '$'];
    /** WordPress's default date format, which a site without a language pack keeps. */
    private const UNCHOSEN = 'F j, Y';
    private const UNCHOSEN_TIME = 'g:i a';
    private const DAYS = [
        'en_GB' => 'j F Y', 'en_AU' => 'j F Y', 'en_NZ' => 'j F Y', 'en_ZA' => 'j F Y', 'fr' => 'j F Y', 'de' => 'j. F Y', 'es' => 'j \d\e F \d\e Y', 'it' => 'j F Y', 'nl' => 'j F Y',
    ];
    private const MONTHS = [
        'fr' => ['janvier', 'février', 'mars', 'avril', 'mai', 'juin', 'juillet', 'août', 'septembre', 'octobre', 'novembre', 'décembre'],
        'de' => ['Januar', 'Februar', 'März', 'April', 'Mai', 'Juni', 'Juli', 'August', 'September', 'Oktober', 'November', 'Dezember'],
        'es' => ['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio', 'julio', 'agosto', 'septiembre', 'octubre', 'noviembre', 'diciembre'],
        'it' => ['gennaio', 'febbraio', 'marzo', 'aprile', 'maggio', 'giugno', 'luglio', 'agosto', 'settembre', 'ottobre', 'novembre', 'dicembre'],
        'nl' => ['januari', 'februari', 'maart', 'april', 'mei', 'juni', 'juli', 'augustus', 'september', 'oktober', 'november', 'december'],
    ];

    /** @param int|float $value */
    public static function format($value, int $decimals = 0): string
    {
        $marks = self::rule(self::MARKS);
        // Language packs write a space as an HTML entity, which would be visible in e-mails.
        return $marks === null ? html_entity_decode(number_format_i18n((float) $value, $decimals), ENT_QUOTES, 'UTF-8') : number_format((float) $value, $decimals, $marks[0], $marks[1]);
    }

    /** @param int|float $value @param string $currency in ISO 4217; empty when unknown */
    public static function money($value, string $currency): string
    {
        $amount = self::format($value, floor((float) $value) === (float) $value ? 0 : 2);
        $symbol = self::SYMBOLS[$currency] ?? $currency;
        if ($symbol === '') {
            return $amount;
        }
        if (self::language() === 'en') {
            return $symbol . (isset(self::SYMBOLS[$currency]) ? '' : "\u{a0}") . $amount;
        }
        return self::rule(self::CURRENCY_FIRST) === true ? "$symbol\u{a0}$amount" : "$amount\u{a0}$symbol";
    }

    /**
     * A day in the owner's date format, else in the language's date format. @param string $iso a date, or a date and
     * time
     */
    public static function day(string $iso): string
    {
        // A date without a time is a day in the site's time zone.
        $date = date_create_immutable($iso, wp_timezone());
        if ($date === false) {
            return $iso;
        }
        $language = self::language();
        $format = (string) get_option('date_format');
        $format = $format === self::UNCHOSEN ? self::rule(self::DAYS) ?? $format : $format;
        $local = $date->setTimezone(wp_timezone());
        $month = self::MONTHS[$language][(int) $local->format('n') - 1] ?? null;
        if ($month !== null) {
            $escaped = preg_replace('/[a-z]/i', '\\\\$0', $month);
            $format = preg_replace_callback('/\\\\.|F/', static fn(array $found): string => $found[0] === 'F' ? $escaped : $found[0], $format);
        }
        return (string) wp_date($format, $local->getTimestamp());
    }

    /** A day and a time, each in the owner's format, else in the language's format. */
    public static function moment(int $time): string
    {
        $format = (string) get_option('time_format');
        return self::day((string) wp_date('Y-m-d\TH:i:sP', $time)) . ' ' . wp_date($format === self::UNCHOSEN_TIME && self::language() !== 'en' ? 'H:i' : $format, $time);
    }

    /**
     * The rule of the locale's language and country, else of its language; null without a rule.
     * @template Rule @param array<string, Rule> $rules @return Rule|null
     */
    private static function rule(array $rules)
    {
        return $rules[substr(determine_locale(), 0, 5)] ?? $rules[self::language()] ?? null;
    }

    private static function language(): string
    {
        return substr(determine_locale(), 0, 2);
    }
}
