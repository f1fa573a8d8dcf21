<?php
declare(strict_types=1);

namespace Passerelle\WordPress;

use Passerelle\AskOperator;
use Passerelle\Expired;
use Passerelle\Failure;
use Passerelle\Manifest;
use Passerelle\RetryLater;

/**
 * A slice of work for one gateway. A slice stores no position: the next slice compares the verified list with the table
 * again. Listings are removed only after the list was verified as complete.
 */
final class Sync
{
    public const SECONDS = 20;
    private const AT_ONCE = 100;
    /**
     * The shortest time for a list, in seconds. With less, a call that runs out of time would look like a fault of the
     * gateway.
     */
    private const SHORTEST_TURN = 1.0;

    private array $gateway;
    private string $name;
    private array $settings;
    private array $state;
    private float $deadline;
    private int $started = 0;
    private ?\RuntimeException $failure = null;
    private bool $isThere = false;
    private bool $areAllThere = false;
    private bool $isDiskFull = false;
    private bool $wasTooShort = false;
    private array $result = ['state' => 'more'];
    private \Passerelle\Client $api;
    private array $run = ['added' => 0, 'updated' => 0, 'removed' => 0, 'photos' => 0, 'failed' => []];

    private function __construct(array $gateway, array $settings, float $deadline)
    {
        [$this->gateway, $this->settings, $this->deadline] = [$gateway, $settings, $deadline];
        $this->name = Settings::nameOf($gateway['crm'], $gateway['client']);
    }

    /**
     * Works on all gateways within a time limit.
     * @param float $seconds the time limit
     * @param bool $isAsked whether a person waits for the result: then the slice ignores the time of the next attempt
     * @return array<string, array> the result of each gateway; its `state` is done, more, later, busy, waiting, held,
     * full or failed
     */
    public static function slice(float $seconds = self::SECONDS, bool $isAsked = false, string $only = ''): array
    {
        $deadline = microtime(true) + $seconds;
        $fresh = Settings::fresh([Settings::OPTION, WebhookTrigger::MARK]);
        $settings = Settings::complete($fresh[Settings::OPTION]);
        $gateways = $only === '' ? $settings['gateways'] : array_intersect_key($settings['gateways'], [$only => true]);
        if (!Lock::take()) {
            return array_map(static fn(): array => ['state' => 'busy'], $gateways);
        }
        try {
            if ($only === '' && $fresh[WebhookTrigger::MARK] !== '') {
                WebhookTrigger::taken();
            }
            wp_suspend_cache_addition(true);
            $all = array_map(static fn(array $gateway): self => new self($gateway, $settings, $deadline), $gateways);
            Turns::serve(array_keys($settings['gateways']), $all, $seconds, $isAsked);
            return array_map(static fn(self $one): array => $one->result, $all);
        } finally {
            wp_suspend_cache_addition(false);
            Lock::release();
            WebhookTrigger::goOn();
        }
    }

    /**
     * Updates the list. @return bool whether it took a turn: without enough time, the gateway comes first in the next
     * slice
     */
    public function takeTurn(float $deadline, bool $isAsked, bool $isFirst): bool
    {
        $this->deadline = $deadline;
        [$now, $this->state] = Settings::withState($this->name);
        if (!$this->isAsItWas($now)) {
            $this->result = ['state' => 'more'];
            return true;
        }
        if (!$isAsked && time() < $this->state['retry_at']) {
            $this->result = ['state' => 'later', 'retry_at' => $this->state['retry_at']];
            return true;
        }
        if (!$isFirst && $this->secondsLeft() < self::SHORTEST_TURN) {
            return $this->wait();
        }
        $this->started = time();
        $this->attempt(function (): void {
            if (!Targets::get($this->settings['target'])->isAvailable()) {
                throw new AskOperator(__('The theme or plugin that shows the listings is not active.', 'passerelle'), Sentences::TOLD);
            }
            $this->api = Settings::client($this->gateway, $this->secondsLeft());
            $rows = Table::counts($this->name);
            if ($rows['unposted'] > 0) {
                Writer::recover($this->name);
            }
            if ($rows['expired'] > 0) {
                (new RemovedListings($this->name, $this->settings))->deleteExpired([$this, 'mayGoOn']);
            }
            // Since the last run, a page may have been deleted or an older database restored.
            $isWhole = $rows['live'] === $this->state['total'] && $rows['unwritten'] === 0;
            $manifest = $this->api->manifest($isWhole ? $this->state['etag'] : '');
            $this->isThere = $manifest === null || $this->compare($manifest);
            $this->areAllThere = $manifest === null ? $rows['due'] === 0 : !Photos::areDue([$this->name]);
            if ($this->isThere) {
                $this->report();
            }
        });
        if (!$isFirst && $this->wasTooShort) {
            return $this->wait();
        }
        $this->state['waiting'] = 0;
        $this->note();
        return true;
    }

    /** Fetches photos once the list is complete or waits for a person. @return bool whether it took a turn */
    public function bringPhotos(float $deadline): bool
    {
        $this->deadline = $deadline;
        if ($this->started === 0 || $this->areAllThere || (!$this->isThere && ($this->failure !== null || $this->state['held'] === null))) {
            return false;
        }
        $this->attempt(function (): void {
            $photos = new Photos($this->gateway, $this->settings);
            [$this->run['photos'], $this->areAllThere] = $photos->bring([$this, 'mayGoOn'], [$this, 'secondsLeft']);
            $this->isDiskFull = $photos->isDiskFull;
        });
        $this->note();
        return $this->run['photos'] > 0;
    }

    /** Other gateways have used up the time. The record of this gateway's last turn remains. */
    private function wait(): bool
    {
        $this->started = 0;
        $this->result = ['state' => 'waiting'];
        if ($this->state['waiting'] === 0 && isset(Settings::all(true)['gateways'][$this->name])) {
            Settings::saveState($this->name, ['waiting' => time()] + Settings::state($this->name));
        }
        return false;
    }

    private function attempt(callable $deed): void
    {
        try {
            $deed();
        } catch (Failure $caught) {
            $this->failure = $this->isCutShort($caught) ? null : $caught;
            $this->state['etag'] = $caught instanceof Expired ? '' : $this->state['etag'];
        } catch (\RuntimeException $caught) {
            $this->failure = $caught;
        }
    }

    private function note(): void
    {
        $this->state['retry_at'] = self::retryAt($this->failure);
        $this->result = [
            'state' => $this->outcome(), 'started' => $this->started, 'ended' => time(),
            'requests' => isset($this->api) ? $this->api->requests : 0, 'message' => $this->failure === null ? '' : Sentences::failure($this->failure),
            'advice' => $this->failure instanceof AskOperator ? 'ask' : '', 'retry_at' => $this->state['retry_at'],
        ] + $this->run;
        $this->state['last'] = $this->result;
        $this->save();
    }

    private function outcome(): string
    {
        if ($this->failure !== null) {
            return 'failed';
        }
        if ($this->state['held'] !== null) {
            return 'held';
        }
        $isDone = $this->isThere && $this->areAllThere && $this->state['unreported'] === null;
        return $this->isDiskFull ? 'full' : ($isDone ? 'done' : 'more');
    }

    /**
     * Reads the approval and the gateways again: the owner may have approved a list or removed the gateway in the
     * meantime.
     */
    private function save(): void
    {
        [$settings, $state] = Settings::withState($this->name);
        $this->state['approved'] = $state['approved'];
        if (isset($settings['gateways'][$this->name])) {
            Settings::saveState($this->name, $this->state);
        }
    }

    /** Whether a call failed because this turn ran out of time, not because of the gateway. */
    private function isCutShort(Failure $failure): bool
    {
        if (!$failure instanceof RetryLater || $this->secondsLeft() >= 1) {
            return false;
        }
        $done = $this->run['added'] + $this->run['updated'] + $this->run['removed'] + $this->run['photos'];
        $this->wasTooShort = $done === 0;
        return $done > 0;
    }

    private static function retryAt(?\RuntimeException $failure): int
    {
        if ($failure instanceof RetryLater) {
            return time() + $failure->retryAfter;
        }
        return $failure instanceof AskOperator ? time() + HOUR_IN_SECONDS : 0;
    }

    /** Updates the table and the posts. @return bool whether they match the list now @throws Failure */
    private function compare(Manifest $manifest): bool
    {
        // Until the first list is complete, approved removals are requested since this snapshot.
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
        // From here until the end, the site has no complete list.
        $this->state['etag'] = '';
        // Check removals before additions, because additions would hide how many listings disappear.
        $this->state['held'] = RemovedListings::mayRemove($this->api, $gone, count($live), $this->state, $manifest->snapshot) ? null
            : ['snapshot' => $manifest->snapshot, 'count' => count($gone), 'of' => count($live)];
        $isHeld = $this->state['held'] !== null;
        $this->save();
        if ($isHeld) {
            // Updates existing listings but adds no new listings, because a property could appear twice.
            $left = array_values(array_filter($left, static fn(array $line): bool => isset($live['=' . Table::keyOf($line[0])])));
        }
        $writer = new Writer($this->gateway, $this->settings);
        foreach (array_chunk($left, self::AT_ONCE) as $lines) {
            if (!$this->mayGoOn() || !$this->writeAll($writer, $lines, $have, $manifest->snapshot)) {
                return false;
            }
        }
        if ($isHeld || !$this->removeAll($gone)) {
            return false;
        }
        if (($this->state['unreported']['added'] ?? 0) > 0) {
            Successors::note($this->api, $this->name, $this->state['since'], $manifest->snapshot);
        }
        if ($this->run['failed'] === []) {
            $this->state['etag'] = $manifest->etag;
        }
        $this->state['snapshot'] = $this->state['since'] = $manifest->snapshot;
        $this->state['total'] = count($manifest->lines);
        return true;
    }

    private function writeAll(Writer $writer, array $lines, array $have, string $snapshot): bool
    {
        $byId = array_column($lines, null, 0);
        foreach ($this->api->listings(array_map('strval', array_keys($byId)), $snapshot) as $listing) {
            if (!$this->mayGoOn()) {
                return false;
            }
            try {
                $writer->write($byId[$listing['affId']], $listing);
                $this->count(isset($have['=' . Table::keyOf($listing['affId'])]) ? 'updated' : 'added');
            } catch (\Throwable $failure) {
                // An error in a listing or a plugin's hook must not prevent the other listings.
                $this->run['failed'][] = ['affId' => $listing['affId'], 'reason' => $failure->getMessage()];
                Table::update($this->name, Table::keyOf($listing['affId']), ['failure' => $failure->getMessage()]);
            }
        }
        return true;
    }

    private function removeAll(array $gone): bool
    {
        $way = new RemovedListings($this->name, $this->settings);
        foreach ($gone as $key) {
            if (!$this->mayGoOn()) {
                return false;
            }
            $way->take(substr($key, 1));
            $this->count('removed');
        }
        return true;
    }

    /** Sends one report per list, even if the list took several slices. */
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

    /**
     * Whether time remains, this process still has the lock, and the settings are those with which this slice began.
     */
    public function mayGoOn(): bool
    {
        $now = microtime(true) < $this->deadline ? Settings::whileLocked() : null;
        return $now !== null && $this->isAsItWas($now);
    }

    /** Whether the gateway and the settings are unchanged since the slice began. */
    private function isAsItWas(array $now): bool
    {
        return ($now['gateways'][$this->name] ?? null) === $this->gateway &&
            array_diff_key($now, ['gateways' => 1]) === array_diff_key($this->settings, ['gateways' => 1]);
    }

    public function secondsLeft(): float
    {
        return $this->deadline - microtime(true);
    }
}
