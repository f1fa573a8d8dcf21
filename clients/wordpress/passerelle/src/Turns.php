<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

/**
 * Decides the order of gateways: the least recently served comes first. It counts turns, because clocks can jump or
 * give equal times.
 */
final class Turns
{
    private const OPTION = 'passerelle_turns';
    /** The share of a slice that is reserved for photos if several gateways also have lists to process. */
    private const SHARE_OF_PHOTOS = 0.3;

    /** @var array{count: int, lists: array<string, int>, photos: array<string, int>} */
    private array $turns;
    private bool $isCounted;
    /** @var array<string, bool> kinds of work that have had a turn */
    private array $taken = [];

    /** @param string[] $gateways all existing gateways */
    private function __construct(array $gateways)
    {
        $this->isCounted = count($gateways) > 1;
        $saved = $this->isCounted ? Settings::fresh([self::OPTION])[self::OPTION] : [];
        $this->turns = (is_array($saved) ? $saved : []) + ['count' => 0, 'lists' => [], 'photos' => []];
        foreach (['lists', 'photos'] as $kind) {
            $this->turns[$kind] = array_intersect_key($this->turns[$kind], array_flip($gateways));
        }
    }

    /**
     * Gives each gateway its turn: first lists, then photos in a reserved share of the time, so that neither blocks the
     * other.
     *
     * @param string[] $gateways all existing gateways
     * @param array<string, Sync> $served the gateways of this slice
     */
    public static function serve(array $gateways, array $served, float $seconds, bool $isAsked): void
    {
        $turns = new self($gateways);
        $deadline = microtime(true) + $seconds;
        $names = array_keys($served);
        $endOfLists = count($names) > 1 && Photos::areDue($names) ? $deadline - self::SHARE_OF_PHOTOS * $seconds : $deadline;
        foreach ($turns->order('lists', $names) as $name) {
            $turns->take('lists', $name, static fn(bool $isFirst): bool => $served[$name]->takeTurn($endOfLists, $isAsked, $isFirst));
        }
        foreach ($turns->order('photos', $names) as $name) {
            $turns->take('photos', $name, static fn(): bool => $served[$name]->bringPhotos($deadline));
        }
    }

    /** @param string[] $gateways @return string[] */
    private function order(string $kind, array $gateways): array
    {
        $last = $this->turns[$kind];
        usort($gateways, static fn(string $one, string $other): int => ($last[$one] ?? 0) <=> ($last[$other] ?? 0));
        return $gateways;
    }

    /**
     * Counts the turn before its work begins, so that a killed run counts too. A run without enough time gives its turn
     * back.
     *
     * @param callable(bool): bool $work gets whether it is the first of its kind, and returns whether it took a turn
     */
    private function take(string $kind, string $gateway, callable $work): void
    {
        $before = $this->turns[$kind][$gateway] ?? 0;
        $this->turns['count'] += 1;
        $this->turns[$kind][$gateway] = $this->turns['count'];
        $this->save();
        if ($work(!isset($this->taken[$kind]))) {
            $this->taken[$kind] = true;
            return;
        }
        $this->turns[$kind][$gateway] = $before;
        $this->save();
    }

    private function save(): void
    {
        if ($this->isCounted) {
            update_option(self::OPTION, $this->turns, false);
        }
    }
}
