<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

use Passerelle\AskOperator;
use Passerelle\Expired;
use Passerelle\Failure;
use Passerelle\Manifest;
use Passerelle\RetryLater;

/**
 * One slice of work for one gateway. It keeps no place to go on from: each slice compares the proven list with the table, and
 * does what is left. Nothing is removed without the proof that the list is complete.
 */
final class Sync
{
    public const SECONDS = 20;
    private const AT_ONCE = 100;

    private array $gateway;
    private string $name;
    private array $settings;
    private array $state;
    private float $deadline;
    private \Passerelle\Client $api;
    private array $run = ['added' => 0, 'updated' => 0, 'removed' => 0, 'photos' => 0, 'failed' => []];

    private function __construct(array $gateway, array $settings, float $deadline)
    {
        [$this->gateway, $this->settings, $this->deadline] = [$gateway, $settings, $deadline];
        $this->name = Settings::nameOf($gateway['crm'], $gateway['client']);
    }

    /**
     * Works for all gateways, one after the other, for at most so many seconds.
     *
     * @param bool $isAsked a person waits for it: also when it is not yet time to try again
     * @return array<string, array> what was done, by gateway; each with `state` done, more, later, busy or failed
     */
    public static function slice(float $seconds = self::SECONDS, bool $isAsked = false, string $only = ''): array
    {
        $deadline = microtime(true) + $seconds;
        $settings = Settings::all(true);
        $gateways = $only === '' ? $settings['gateways'] : array_intersect_key($settings['gateways'], [$only => true]);
        // The gateway that has waited longest comes first: one with much to do must not keep the others from their turn.
        uksort($gateways, static fn(string $one, string $other): int => self::lastEnd($one) <=> self::lastEnd($other));
        if (!Lock::take()) {
            return array_map(static fn(): array => ['state' => 'busy'], $gateways);
        }
        try {
            if ($only === '') {
                Wake::taken();
            }
            wp_suspend_cache_addition(true);
            return array_map(static fn(array $gateway): array => (new self($gateway, $settings, $deadline))->run($isAsked), $gateways);
        } finally {
            wp_suspend_cache_addition(false);
            Lock::release();
            Wake::goOn();
        }
    }

    private static function lastEnd(string $name): int
    {
        return Settings::state($name)['last']['ended'] ?? 0;
    }

    private function run(bool $isAsked): array
    {
        if (!$this->isAsItWas()) {
            return ['state' => 'more'];
        }
        $this->state = Settings::state($this->name);
        if (!$isAsked && time() < $this->state['retry_at']) {
            return ['state' => 'later', 'retry_at' => $this->state['retry_at']];
        }
        $started = time();
        $failure = null;
        $isDone = false;
        try {
            if (!Targets::get($this->settings['target'])->isAvailable()) {
                throw new AskOperator(__('The theme or plugin that shows the listings is not active.', 'passerelle'), Sentences::TOLD);
            }
            $this->api = Settings::client($this->gateway, $this->secondsLeft());
            Writer::recover($this->name);
            (new Gone($this->name, $this->settings))->bury([$this, 'mayGoOn']);
            $isDone = $this->bring();
        } catch (Failure $caught) {
            $failure = $this->isCutShort($caught) ? null : $caught;
            $this->state['etag'] = $caught instanceof Expired ? '' : $this->state['etag'];
        } catch (\RuntimeException $caught) {
            $failure = $caught;
        }
        $this->state['retry_at'] = self::retryAt($failure);
        $isHeld = $this->state['held'] !== null;
        $last = [
            'state' => $failure !== null ? 'failed' : ($isHeld ? 'held' : ($isDone ? 'done' : 'more')), 'started' => $started, 'ended' => time(),
            'requests' => isset($this->api) ? $this->api->requests : 0, 'message' => $failure === null ? '' : Sentences::failure($failure),
            'advice' => $failure instanceof AskOperator ? 'ask' : '', 'retry_at' => $this->state['retry_at'],
        ] + $this->run;
        $this->state['last'] = $last;
        $this->save();
        return $last;
    }

    /** The owner may have approved a list in the meantime, or have removed the gateway. */
    private function save(): void
    {
        $this->state['approved'] = Settings::state($this->name, true)['approved'];
        if (isset(Settings::all(true)['gateways'][$this->name])) {
            Settings::saveState($this->name, $this->state);
        }
    }

    /** Whether a call failed because this slice was over, after it had done something. */
    private function isCutShort(Failure $failure): bool
    {
        $done = $this->run['added'] + $this->run['updated'] + $this->run['removed'] + $this->run['photos'];
        return $failure instanceof RetryLater && $done > 0 && $this->secondsLeft() < 1;
    }

    private static function retryAt(?\RuntimeException $failure): int
    {
        if ($failure instanceof RetryLater) {
            return time() + $failure->retryAfter;
        }
        return $failure instanceof AskOperator ? time() + HOUR_IN_SECONDS : 0;
    }

    /** @return bool whether nothing is left to do @throws Failure */
    private function bring(): bool
    {
        // During the last run a page may have been deleted, or an older database restored.
        $isWhole = Table::isWhole($this->name, $this->state['total']);
        $manifest = $this->api->manifest($isWhole ? $this->state['etag'] : '');
        $isThere = $manifest === null || $this->compare($manifest);
        if (!$isThere && $this->state['held'] === null) {
            return false;
        }
        $photos = new Photos($this->gateway, $this->settings);
        [$this->run['photos'], $isDone] = $photos->bring([$this, 'mayGoOn'], [$this, 'secondsLeft']);
        if ($isThere) {
            $this->report();
        }
        return $isThere && $isDone;
    }

    /** Brings the table and the posts to the list. @return bool whether they are there */
    private function compare(Manifest $manifest): bool
    {
        // Where tombstones are asked from, as long as no list was completed.
        $this->state['since'] = $this->state['since'] === '' ? $manifest->snapshot : $this->state['since'];
        $have = Table::have($this->name);
        $wanted = [];
        $left = [];
        foreach ($manifest->lines as $line) {
            $key = '=' . Table::keyOf($line[0]);
            $wanted[$key] = true;
            if (!isset($have[$key]) || $have[$key][0] !== $line[1] || $have[$key][1]) {
                $left[] = $line;
            }
        }
        $live = array_filter($have, static fn(array $one): bool => !$one[1]);
        $gone = array_keys(array_diff_key($live, $wanted));
        // From here on what is here is no list that was complete.
        $this->state['etag'] = '';
        // Before anything is added: what this list brings must not hide how much it takes away.
        $this->state['held'] = $this->mayRemove($gone, count($live), $manifest->snapshot) ? null
            : ['snapshot' => $manifest->snapshot, 'count' => count($gone), 'of' => count($live)];
        $isHeld = $this->state['held'] !== null;
        $this->save();
        if ($isHeld) {
            // Existing listings are updated. Nothing is added, or each property would appear twice.
            $left = array_values(array_filter($left, static fn(array $line): bool => isset($live['=' . Table::keyOf($line[0])])));
        }
        foreach (array_chunk($left, self::AT_ONCE) as $lines) {
            if (!$this->mayGoOn() || !$this->writeAll($lines, $have, $manifest->snapshot)) {
                return false;
            }
        }
        if ($isHeld || !$this->removeAll($gone)) {
            return false;
        }
        if ($this->run['failed'] === []) {
            $this->state['etag'] = $manifest->etag;
        }
        $this->state['snapshot'] = $this->state['since'] = $manifest->snapshot;
        $this->state['total'] = count($manifest->lines);
        return true;
    }

    private function writeAll(array $lines, array $have, string $snapshot): bool
    {
        $writer = new Writer($this->gateway, $this->settings);
        $byId = array_column($lines, null, 0);
        foreach ($this->api->listings(array_map('strval', array_keys($byId)), $snapshot) as $listing) {
            if (!$this->mayGoOn()) {
                return false;
            }
            try {
                $writer->write($byId[$listing['affId']], $listing);
                $this->count(isset($have['=' . Table::keyOf($listing['affId'])]) ? 'updated' : 'added');
            } catch (\Throwable $failure) {
                // An error in a listing, or in a plugin's hook, must not prevent the others from being written.
                $this->run['failed'][] = ['affId' => $listing['affId'], 'reason' => $failure->getMessage()];
                Table::update($this->name, Table::keyOf($listing['affId']), ['failure' => $failure->getMessage()]);
            }
        }
        return true;
    }

    private function removeAll(array $gone): bool
    {
        $way = new Gone($this->name, $this->settings);
        foreach ($gone as $key) {
            if (!$this->mayGoOn()) {
                return false;
            }
            $way->take(substr($key, 1));
            $this->count('removed');
        }
        return true;
    }

    /**
     * A list that is proven may still be another one than the owner believes. A mass removal waits for a person, unless an
     * operator of the gateway has approved it.
     */
    private function mayRemove(array $gone, int $live, string $snapshot): bool
    {
        if (!self::isMassRemoval(count($gone), $live) || $this->state['approved'] === $snapshot) {
            return true;
        }
        try {
            $changes = $this->api->changes($this->state['since'], $snapshot, 20000)['changes'] ?? [];
        } catch (Expired $tooOld) {
            $changes = [];
        }
        $approved = [];
        foreach ($changes as $change) {
            if ($change['change'] === 'removed' && ($change['approved'] ?? false) === true) {
                $approved['=' . Table::keyOf($change['affId'])] = true;
            }
        }
        return !self::isMassRemoval(count(array_diff_key(array_flip($gone), $approved)), $live);
    }

    /**
     * Everything, more than 5 and more than 20 %, or more than half of at least 4: the gateway holds its own lists back by the
     * same shares. Not taken from the client's file, because another plugin may have loaded an older one.
     */
    private static function isMassRemoval(int $removed, int $of): bool
    {
        return $removed > 0 && ($removed >= $of || ($removed > 5 && $removed > $of * 0.2) || ($of >= 4 && $removed > $of / 2));
    }

    /** Told once for each list, however many slices it took. */
    private function report(): void
    {
        if ($this->state['unreported'] === null) {
            return;
        }
        $this->api->report([
            'status' => $this->run['failed'] === [] ? 'success' : 'error', 'count' => Table::countLive($this->name),
            'snapshot' => $this->state['snapshot'], 'site_url' => home_url('/'), 'plugin' => 'passerelle-wordpress ' . VERSION,
            'failed' => array_slice($this->run['failed'], 0, 200),
        ] + $this->state['unreported']);
        $this->state['unreported'] = null;
    }

    private function count(string $what): void
    {
        $this->run[$what] += 1;
        $this->state['unreported'] = $this->state['unreported'] ?? ['added' => 0, 'updated' => 0, 'removed' => 0];
        $this->state['unreported'][$what] += 1;
    }

    /** Whether there is time, the lock is still ours, and the owner wants what was wanted when this slice began. */
    public function mayGoOn(): bool
    {
        return microtime(true) < $this->deadline && Lock::isHeld() && $this->isAsItWas();
    }

    /** Whether the gateway is still there, and its listings are to be shown as they were to be. */
    private function isAsItWas(): bool
    {
        $now = Settings::all(true);
        return ($now['gateways'][$this->name] ?? null) === $this->gateway &&
            array_diff_key($now, ['gateways' => 1]) === array_diff_key($this->settings, ['gateways' => 1]);
    }

    public function secondsLeft(): float
    {
        return $this->deadline - microtime(true);
    }
}
