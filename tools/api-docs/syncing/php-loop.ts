/** A complete synchronization in PHP 7.4 or later, without dependencies. Tests run it against the product. */
export const PHP_LOOP = String.raw`<?php
declare(strict_types=1);

[$base, $crm, $client, $key, $file] = array_slice($argv, 1);
$deadline = microtime(true) + (float) (getenv('SECONDS') ?: 20);
$state = is_file($file) ? json_decode(file_get_contents($file), true) : ['token' => '', 'etag' => '', 'have' => []];
$counts = ['added' => 0, 'updated' => 0, 'removed' => 0];
$approved = [];

/** Throws for an incomplete answer: curl checks the length, JSON its end. */
function call(string $method, string $path, array $query, array $headers = [], ?array $body = null): array
{
    global $base, $crm, $client, $key;
    $curl = curl_init($base . $path . '?' . http_build_query(['crm' => $crm, 'client' => $client] + $query));
    $answered = [];
    $options = [
        CURLOPT_RETURNTRANSFER => true, CURLOPT_ENCODING => '', CURLOPT_TIMEOUT => 20, CURLOPT_CONNECTTIMEOUT => 5,
        CURLOPT_NOBODY => $method === 'HEAD',
        CURLOPT_HTTPHEADER => array_merge(["Key: $key", 'Content-Type: application/json'], $headers),
        CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$answered): int {
            $pair = explode(':', $line, 2);
            if (count($pair) === 2) $answered[strtolower($pair[0])] = trim($pair[1]);
            return strlen($line);
        },
    ];
    if ($body !== null) $options[CURLOPT_POSTFIELDS] = json_encode($body);
    curl_setopt_array($curl, $options);
    $text = curl_exec($curl);
    $status = (int) curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    if ($text === false) throw new RuntimeException('incomplete answer: ' . curl_error($curl));
    $json = $method === 'HEAD' || $status === 304 ? [] : json_decode($text, true);
    $isExpired = ($json['detail']['reason'] ?? '') === 'expired';
    if (!is_array($json) || ($status !== 200 && $status !== 304 && !$isExpired)) {
        throw new RuntimeException("answered $status: " . ($json['message'] ?? '') . ', retry after ' . ($answered['retry-after'] ?? '?'));
    }
    return $json + ['code' => $status, 'isExpired' => $isExpired, 'snapshot' => $answered['x-snapshot'] ?? '', 'etag' => $answered['etag'] ?? ''];
}

function save(): void
{
    global $file, $state;
    file_put_contents("$file.new", json_encode($state));
    rename("$file.new", $file);
}

/** Called before a property is stored: a stored property without a record would never be removed. */
function announce(array $ids): void
{
    global $state, $counts;
    foreach ($ids as $affId) {
        $counts[isset($state['have'][$affId]) ? 'updated' : 'added'] += 1;
        $state['have'][$affId] = ['affId' => $affId, 'empreinte' => ''];
    }
    save();
}

function drop(string $affId): void
{
    global $state, $counts;
    remove($affId);
    unset($state['have'][$affId]);
    $counts['removed'] += 1;
}

/** The gateway holds its own lists back with the same limits. */
function isMassRemoval(int $removed, int $of): bool
{
    return $removed > 0 && ($removed >= $of || ($removed > 5 && $removed > $of * 0.2) || ($of >= 4 && $removed > $of / 2));
}

/** Applies a few changes since the stored snapshot. After an interruption the client compares with the manifest next time. */
function applyChanges(string $snapshot): bool
{
    global $state, $approved;
    $changes = call('GET', '/v1/changes', ['since' => $state['token'], 'snapshot' => $snapshot, 'per_page' => 200]);
    [$list, $meta] = [$changes['data'] ?? [], $changes['meta'] ?? []];
    // Another list without a change, or changes whose number is wrong, prove nothing; the manifest does.
    $isProven = $list !== [] && count($list) === ($meta['total'] ?? -1) && ($meta['snapshot'] ?? '') === $snapshot
        && count(array_unique(array_column($list, 'affId'))) === count($list);
    if (!$isProven) return false;
    $removals = array_filter($list, fn($one) => $one['change'] === 'removed');
    $approved = array_column(array_filter($removals, fn($one) => $one['approved'] ?? false), 'affId');
    // The comparison then holds the removal back.
    if (isMassRemoval(count($removals) - count($approved), count($state['have']))) return false;
    $state['token'] = '';
    announce(array_column(array_filter($list, fn($one) => $one['change'] !== 'removed'), 'affId'));
    foreach ($list as $one) {
        if ($one['change'] === 'removed') {
            drop($one['affId']);
            continue;
        }
        store($one['property']);
        $state['have'][$one['affId']] = ['affId' => $one['affId'], 'empreinte' => $one['empreinte'], 'photos' => $one['photos'] ?? ''];
    }
    return true;
}

/** Stores and removes what differs from the manifest, until the time is over. */
function compare(): ?array
{
    global $state, $deadline, $approved;
    $manifest = call('GET', '/v1/manifest', []);
    [$list, $meta] = [$manifest['data'] ?? [], $manifest['meta'] ?? []];
    $hash = hash_init('sha256');
    foreach ($list as $line) {
        hash_update($hash, "{$line['affId']}\t{$line['empreinte']}\t" . ($line['photos'] ?? '') . "\n");
    }
    if (count($list) !== ($meta['total'] ?? -1) || hash_final($hash) !== ($meta['hash'] ?? '')) {
        throw new RuntimeException('the manifest is incomplete');
    }
    $wanted = array_column($list, null, 'affId');
    $gone = array_map('strval', array_keys(array_diff_key($state['have'], $wanted)));
    $doubtful = count(array_diff($gone, $approved));
    // Before anything is added: additions must not hide how much the list takes away.
    if (isMassRemoval($doubtful, count($state['have'])) && getenv('CONFIRM_REMOVAL') !== (string) $doubtful) {
        throw new RuntimeException("held: $doubtful of " . count($state['have']) . ' listings would be removed');
    }
    $left = array_filter($wanted, fn($line) => ($state['have'][$line['affId']]['empreinte'] ?? null) !== $line['empreinte']);
    foreach (array_chunk($left, 100) as $lines) {
        $ids = implode(',', array_map('rawurlencode', array_column($lines, 'affId')));
        $page = call('GET', '/v1/properties', ['ids' => $ids, 'snapshot' => $manifest['snapshot']]);
        $found = array_column($page['data'] ?? [], null, 'affId');
        if (array_diff_key(array_column($lines, null, 'affId'), $found) !== []) throw new RuntimeException('properties are missing');
        $found = array_intersect_key($found, array_column($lines, null, 'affId'));
        announce(array_column($lines, 'affId'));
        foreach ($found as $property) {
            store($property);
            $state['have'][$property['affId']] = $wanted[$property['affId']];
        }
        save();
        if (microtime(true) > $deadline) return null;
    }
    foreach ($gone as $affId) drop($affId);
    return $manifest;
}

function sync(): void
{
    global $state, $counts, $crm, $client;
    $reached = null;
    if ($state['token'] !== '') {
        $head = call('HEAD', '/v1/manifest', [], ['If-None-Match: ' . $state['etag']]);
        if ($head['code'] === 304) return;
        if (applyChanges($head['snapshot'])) $reached = $head;
    }
    $reached = $reached ?? compare();
    if ($reached === null) return;
    [$state['token'], $state['etag']] = [$reached['snapshot'], $reached['etag']];
    save();
    call('POST', '/v1/report', [], [], ['crm' => $crm, 'client' => $client, 'status' => 'success',
        'count' => count($state['have']), 'snapshot' => $state['token']] + $counts);
}

function store(array $property): void { echo "store {$property['affId']}\n"; }

function remove(string $affId): void { echo "remove $affId\n"; }

sync();
`;
