<?php
/**
 * Client of the Passerelle API: one file, PHP 7.4 or later, with the extensions curl and json.
 *
 *     $api = new Passerelle\Client('https://listings.example', 'kyero', 'my-agency', $key);
 *     $manifest = $api->manifest($etag);              // null: nothing has changed
 *     $listings = $api->listings($ids, $manifest->snapshot);
 *     $removal = $api->removal($have, $manifest, $since);   // held: too many listings would go; an operator decides
 *
 * Every method returns complete, verified data or throws an exception. The exception says what to do; it never means that a
 * listing was removed. Where several plugins may bring this file: `if (!class_exists('Passerelle\Client')) require …`.
 *
 * @license MIT
 */

declare(strict_types=1);

namespace Passerelle;

/** A call without the expected answer. Code that catches this error must not change or remove anything. */
abstract class Failure extends \RuntimeException
{
    /** For the operator's log; empty when there was no answer. */
    public string $requestId;

    /** @param int $code the HTTP status; 0 when there was no answer */
    public function __construct(string $message, int $code = 0, string $requestId = '')
    {
        parent::__construct($message, $code);
        $this->requestId = $requestId;
    }
}

/** Try again later: an outage, a limit or a truncated answer. */
final class RetryLater extends Failure
{
    /** The minimum number of seconds to wait. */
    public int $retryAfter;

    public function __construct(string $message, int $code = 0, string $requestId = '', int $retryAfter = 60)
    {
        parent::__construct($message, $code, $requestId);
        $this->retryAfter = $retryAfter;
    }
}

/** Stop and ask a person: the key is wrong (401), the gateway is disabled (403), or the address is not the API's. */
final class AskOperator extends Failure
{
}

/** The gateway no longer keeps the snapshot: start again with the manifest. */
final class Expired extends Failure
{
}

/** The request is wrong (400, 404, 405): repeating it does not help. */
final class Refused extends Failure
{
}

/** A complete, verified list: the number of lines and their hash match the API's announcement. */
final class Manifest
{
    /** Token of the snapshot, to pass to `listings()`. */
    public string $snapshot;
    /** Pass this tag to the next `manifest()` call when the caller has processed this whole list. */
    public string $etag;
    public string $publishedAt;
    /** @var array<array{0: string, 1: string, 2: string}> affId, empreinte and photos ('' without photos), in order */
    public array $lines;

    /** @throws RetryLater when lines are missing */
    public function __construct(array $body, string $etag)
    {
        $meta = is_array($body['meta'] ?? null) ? $body['meta'] : [];
        $lines = [];
        $seen = [];
        $hash = hash_init('sha256');
        foreach ($body['data'] ?? [] as $line) {
            $line = (array) $line;
            [$affId, $empreinte, $photos] = [$line['affId'] ?? '', $line['empreinte'] ?? '', $line['photos'] ?? ''];
            if (!is_string($affId) || !is_string($empreinte) || !is_string($photos)) continue;
            hash_update($hash, "$affId\t$empreinte\t$photos\n");
            $lines[] = [$affId, $empreinte, $photos];
            $seen["=$affId"] = true;
        }
        $isWhole = isset($meta['hash'], $meta['total'], $meta['snapshot']) && count($lines) === $meta['total'] &&
            count($seen) === $meta['total'] && hash_equals($meta['hash'], hash_final($hash));
        if (!$isWhole) throw new RetryLater('The manifest is incomplete.');
        [$this->lines, $this->etag] = [$lines, $etag];
        [$this->snapshot, $this->publishedAt] = [$meta['snapshot'], $meta['published_at'] ?? ''];
    }
}

/**
 * The removals that follow from a verified list. A mass removal is held until an operator of the gateway has approved
 * it or a person has confirmed it.
 */
final class Removal
{
    /**
     * Whether a person must confirm the removals. Until then, remove and add nothing, because a listing could appear
     * twice.
     */
    public bool $held;
    /** @var string[] affIds to remove; empty while `held` is true */
    public array $ids;
    /** Listings that the site has and the list lacks. */
    public int $removed;
    /** How many of the removals an operator of the gateway has approved. */
    public int $approved;
    /** How many listings the site has. */
    public int $of;
    /** Token of the list. */
    public string $snapshot;

    /** @param string[] $gone affIds that the list lacks */
    public function __construct(array $gone, bool $held, int $approved, int $of, string $snapshot)
    {
        [$this->ids, $this->held, $this->removed] = [$held ? [] : $gone, $held, count($gone)];
        [$this->approved, $this->of, $this->snapshot] = [$approved, $of, $snapshot];
    }

    /**
     * Whether a person must confirm this many removals: all listings, more than 5 and more than 20 %, or more than half
     * of at least 4. The gateway holds its own lists back at the same limits.
     */
    public static function isMass(int $removed, int $of): bool
    {
        if ($removed <= 0) return false;
        return $removed >= $of || ($removed > 5 && $removed > $of * 0.2) || ($of >= 4 && $removed > $of / 2);
    }
}

final class Client
{
    private const AT_ONCE = 100;
    private string $base;
    private array $gateway;
    private string $key;
    private string $agent;
    private float $deadline;
    /** @var resource|\CurlHandle|null kept to reuse its connection */
    private $curl = null;
    /** The number of requests so far. */
    public int $requests = 0;

    /**
     * @param string $agent `Product/1.2; https://site`: identifies the site to the operator
     * @param float $seconds the time limit for all requests of this client together
     */
    public function __construct(string $base, string $crm, string $client, string $key, string $agent = 'Passerelle-PHP/1.1', float $seconds = 60)
    {
        $host = (string) parse_url($base, PHP_URL_HOST);
        $isLocal = in_array($host, ['localhost', '127.0.0.1', '[::1]'], true);
        if (parse_url($base, PHP_URL_SCHEME) !== 'https' && !$isLocal) {
            throw new AskOperator('The address must begin with https://, or others on the network could read the key.');
        }
        $this->base = rtrim($base, '/');
        $this->gateway = ['crm' => $crm, 'client' => $client];
        [$this->key, $this->agent, $this->deadline] = [$key, $agent, microtime(true) + $seconds];
    }

    /** Returns null when nothing has changed since the manifest with this ETag. @throws Failure */
    public function manifest(string $etag = ''): ?Manifest
    {
        [$body, $headers] = $this->get('/v1/manifest', [], $etag);
        return $body === null ? null : new Manifest($body, $headers['etag'] ?? '');
    }

    /**
     * Returns all listings with these affIds, one hundred per request.
     *
     * @param string[] $ids from the manifest of that snapshot
     * @return array<array<string, mixed>>
     * @throws Failure
     */
    public function listings(array $ids, string $snapshot): array
    {
        $listings = [];
        foreach (array_chunk($ids, self::AT_ONCE) as $some) {
            [$body, $headers] = $this->get('/v1/properties', ['ids' => $some, 'snapshot' => $snapshot]);
            $found = array_column($body['data'], 'affId');
            if (($headers['x-snapshot'] ?? $snapshot) !== $snapshot || count($found) !== count($body['data']) ||
                count($found) !== count($some) || array_diff($some, $found) !== []) {
                throw new RetryLater('The page of listings is incomplete.');
            }
            $listings = array_merge($listings, array_values($body['data']));
        }
        return $listings;
    }

    /**
     * The changes since a snapshot, removals first.
     * @param int $most the result is null when there are more changes, or when the API lists no change although the
     * snapshot differs. In both cases compare with the manifest instead
     * @return array{snapshot: string, changes: array<array<string, mixed>>}|null
     * @throws Failure
     */
    public function changes(string $since, string $snapshot = '', int $most = 1000): ?array
    {
        [$changes, $page] = [[], 0];
        do {
            $query = ['since' => $since, 'snapshot' => $snapshot, 'page' => ++$page, 'per_page' => 200];
            [$body] = $this->get('/v1/changes', array_filter($query, static fn($value) => $value !== ''));
            ['snapshot' => $reached, 'total' => $total, 'total_pages' => $pages] =
                (array) ($body['meta'] ?? []) + ['snapshot' => '', 'total' => -1, 'total_pages' => 1];
            if ($total > $most) return null;
            $snapshot = $snapshot === '' ? $reached : $snapshot;
            $changes = array_merge($changes, array_values($body['data']));
            if ($reached !== $snapshot || $reached === '') throw new RetryLater('The page of changes is of another snapshot.');
        } while ($page < $pages);
        // The list is complete when it has as many changes as the API counted, each for a different listing.
        $ids = array_unique(array_column($changes, 'affId'), SORT_STRING);
        if (count($changes) !== $total || count($ids) !== $total) throw new RetryLater('The changes are incomplete.');
        if ($total === 0 && $snapshot !== $since) return null;
        return ['snapshot' => $snapshot, 'changes' => $changes];
    }

    /**
     * The removals that follow from a manifest. Call this before you add anything, because additions would hide how
     * large the removal is.
     * @param string[] $have affIds that the site has
     * @param string $since token of the last list that the site processed completely; empty when there is none
     * @param callable|null $confirmRemoval asks a person about a mass removal that no operator has approved: it gets
     * `removed`, `approved`, `of` and `snapshot`, and returns true to allow it
     * @throws Failure
     */
    public function removal(array $have, Manifest $manifest, string $since = '', ?callable $confirmRemoval = null): Removal
    {
        // PHP turns array keys that look like numbers into integers: the prefix `=` keeps affIds text.
        $here = [];
        foreach ($have as $affId) $here["=$affId"] = (string) $affId;
        $of = count($here);
        $gone = $here;
        foreach ($manifest->lines as [$affId]) unset($gone["=$affId"]);
        $approved = Removal::isMass(count($gone), $of) && $since !== '' ? $this->approvedAmong($gone, $since, $manifest->snapshot) : 0;
        $counts = ['removed' => count($gone), 'approved' => $approved, 'of' => $of, 'snapshot' => $manifest->snapshot];
        $isHeld = Removal::isMass(count($gone) - $approved, $of) && ($confirmRemoval === null || $confirmRemoval($counts) !== true);
        return new Removal(array_values($gone), $isHeld, $approved, $of, $manifest->snapshot);
    }

    /** How many of these removals an operator has approved. @param array<string, string> $gone by `=affId` */
    private function approvedAmong(array $gone, string $since, string $snapshot): int
    {
        try {
            $changes = $this->changes($since, $snapshot, 20000)['changes'] ?? [];
        } catch (Expired $tooOld) {
            return 0;
        }
        $approved = [];
        foreach ($changes as $change) {
            if ($change['change'] === 'removed' && ($change['approved'] ?? false) === true) $approved['=' . $change['affId']] = true;
        }
        return count(array_intersect_key($approved, $gone));
    }

    /** The state of the feed: `state`, `since`, `reason`, `total`, `confirmed_at` … @throws Failure */
    public function feed(): array
    {
        return $this->get('/v1/feed', [])[0]['data'];
    }

    /** Where a listing is, or why it is missing. @param string $id affId or affNum @throws Failure */
    public function history(string $id): array
    {
        return $this->get('/v1/properties/' . rawurlencode($id) . '/history', [])[0]['data'];
    }

    /**
     * Reports the result of an import: `status` (success or error), and optionally count, snapshot, added … @throws
     * Failure
     */
    public function report(array $report): void
    {
        $this->request('POST', '/v1/report', [], [], $this->gateway + $report);
    }

    /** Forwards a visitor's message. Send it again with the same `id` until the API accepts it. @throws Failure */
    public function lead(array $lead): void
    {
        $taken = $this->request('POST', '/v1/leads', [], [], $this->gateway + $lead)[0]['data'] ?? [];
        if (!isset($taken['received_at'])) throw new RetryLater('The answer is incomplete.');
    }

    /**
     * Registers a webhook. @return array<string, mixed> with `id`, and with `secret`, which is shown only once @throws
     * Failure
     */
    public function addWebhook(string $url, array $events): array
    {
        $added = $this->request('POST', '/v1/webhooks', [], [], $this->gateway + ['url' => $url, 'events' => $events])[0]['data'] ?? [];
        if (isset($added['id'], $added['secret'])) return $added;
        throw new RetryLater('The answer is incomplete.');
    }

    /** The registered webhooks, oldest first: `id`, `url`, `disabled_at`, `failing_since` … @throws Failure */
    public function webhooks(): array
    {
        return $this->get('/v1/webhooks', [])[0]['data'];
    }

    /** Removes a webhook. @throws Failure */
    public function removeWebhook(int $id): void
    {
        $this->request('DELETE', "/v1/webhooks/$id", [], []);
    }

    /** @return array{0: array|null, 1: array<string, string>} body (null: 304) and headers */
    private function get(string $path, array $query, string $etag = ''): array
    {
        [$body, $headers] = $this->request('GET', $path, $query, $etag === '' ? [] : ["If-None-Match: $etag"]);
        $isWhole = $body === null ? $etag !== '' : is_array($body['data'] ?? null);
        if (!$isWhole) throw new RetryLater('The answer is incomplete.');
        return [$body, $headers];
    }

    private function request(string $method, string $path, array $query, array $headers, ?array $sent = null): array
    {
        $ids = isset($query['ids']) ? '&ids=' . implode(',', array_map('rawurlencode', $query['ids'])) : '';
        unset($query['ids']);
        $address = $this->base . $path . '?' . http_build_query($this->gateway + $query, '', '&', PHP_QUERY_RFC3986) . $ids;
        $left = (int) (1000 * ($this->deadline - microtime(true)));
        if ($left < 100) throw new RetryLater('The time is up.', 0, '', 1);
        $this->curl = $this->curl ?? curl_init();
        $answered = [];
        $this->requests += 1;
        curl_reset($this->curl);
        curl_setopt_array($this->curl, [
            CURLOPT_URL => $address, CURLOPT_RETURNTRANSFER => true, CURLOPT_ENCODING => '', CURLOPT_NOSIGNAL => true,
            CURLOPT_TIMEOUT_MS => min($left, 30000), CURLOPT_CONNECTTIMEOUT_MS => min($left, 5000), CURLOPT_USERAGENT => $this->agent,
            CURLOPT_HTTPHEADER => array_merge(["Key: $this->key", 'Accept: application/json'], $sent === null ? [] : ['Content-Type: application/json'], $headers),
            CURLOPT_HEADERFUNCTION => static function ($curl, string $line) use (&$answered): int {
                $pair = explode(':', $line, 2);
                if (count($pair) === 2) $answered[strtolower($pair[0])] = trim($pair[1]);
                return strlen($line);
            },
        ] + ($sent === null ? [CURLOPT_CUSTOMREQUEST => $method] : [CURLOPT_POSTFIELDS => json_encode($sent, JSON_INVALID_UTF8_SUBSTITUTE)]));
        // A truncated answer fails in curl, by its length or gzip, or in the JSON decoder.
        $text = curl_exec($this->curl);
        $status = (int) curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE);
        if ($text === false) throw new RetryLater('No whole answer: ' . curl_error($this->curl), $status);
        if ($status === 304) return [null, $answered];
        $body = json_decode((string) $text, true, 64, JSON_BIGINT_AS_STRING);
        if ($status >= 200 && $status < 300 && is_array($body) && ($body['status'] ?? '') === 'success') return [$body, $answered];
        throw self::failure($status, is_array($body) ? $body : [], $answered);
    }

    private static function failure(int $status, array $body, array $headers): Failure
    {
        $detail = is_array($body['detail'] ?? null) ? $body['detail'] : [];
        $message = is_string($body['message'] ?? null) ? $body['message'] : "HTTP $status without an explanation.";
        $requestId = $headers['x-request-id'] ?? '';
        $isOurs = ($body['status'] ?? '') === 'error';
        if ($status === 401 || $status === 403) return new AskOperator($message, $status, $requestId);
        if (($detail['reason'] ?? '') === 'expired') return new Expired($message, $status, $requestId);
        if ($isOurs && in_array($status, [400, 404, 405], true)) return new Refused($message, $status, $requestId);
        if ($status >= 300 && $status < 400) return new AskOperator("The address leads elsewhere (HTTP $status).", $status, $requestId);
        $wait = $headers['retry-after'] ?? '';
        $seconds = ctype_digit($wait) ? (int) $wait : ($wait === '' ? 60 : (int) strtotime($wait) - time());
        return new RetryLater($message, $status, $requestId, max(1, min($seconds, 86400)));
    }
}

/**
 * Verifies a message of the gateway by Standard Webhooks and returns its content: `type`, `timestamp` and `data`.
 *
 * @param string $body as received, byte for byte: `file_get_contents('php://input')`
 * @param array<string, string> $headers with `webhook-id`, `webhook-timestamp` and `webhook-signature`, in lower case
 * @param string $secret `whsec_…`, as the gateway showed it once
 * @param int $now seconds since 1970; 0 for the clock of this machine
 * @return array<string, mixed>|null null: the message is not from the gateway, or is too old; do not trust any of it
 */
function verifyWebhook(string $body, array $headers, string $secret, int $now = 0): ?array
{
    $key = base64_decode(strncmp($secret, 'whsec_', 6) === 0 ? substr($secret, 6) : $secret, true);
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if ($key === false || $key === '' || $id === '' || preg_match('/^\d{1,12}$/D', $timestamp) !== 1) return null;
    // An old message may be a replay by an attacker.
    if (abs(($now === 0 ? time() : $now) - (int) $timestamp) > 300) {
        return null;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    $isSigned = false;
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) $isSigned = hash_equals($expected, $signature) || $isSigned;
    $message = $isSigned ? json_decode($body, true) : null;
    return is_array($message) ? $message : null;
}
