/** A whole sync in PHP 7.4 or later, without a dependency. Tests run it against the product. */
export const PHP_LOOP = String.raw`<?php
declare(strict_types=1);

[$base, $crm, $client, $key, $file] = array_slice($argv, 1);
$deadline = microtime(true) + (float) (getenv('SECONDS') ?: 20);
$state = is_file($file) ? json_decode(file_get_contents($file), true) : ['etag' => '', 'have' => []];

function call(string $path, array $query, array $headers = [], ?array $body = null): array
{
    global $base, $crm, $client, $key;
    $curl = curl_init($base . $path . '?' . http_build_query(['crm' => $crm, 'client' => $client] + $query));
    $answered = [];
    $options = [
        CURLOPT_RETURNTRANSFER => true, CURLOPT_ENCODING => '', CURLOPT_TIMEOUT => 20, CURLOPT_CONNECTTIMEOUT => 5,
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
    if ($text === false) throw new RuntimeException('no whole answer: ' . curl_error($curl));
    if ($status === 304) return [304, null, $answered];
    $json = json_decode($text, true);
    if ($status !== 200 || !is_array($json)) {
        throw new RuntimeException("answered $status: " . ($json['message'] ?? '') . ', retry after ' . ($answered['retry-after'] ?? '?'));
    }
    return [200, $json, $answered];
}

function save(array $state): void
{
    global $file;
    file_put_contents("$file.new", json_encode($state));
    rename("$file.new", $file);
}

[$status, $manifest, $headers] = call('/v1/manifest', [], $state['etag'] === '' ? [] : ['If-None-Match: ' . $state['etag']]);
if ($status === 304) exit(0);
$hash = hash_init('sha256');
foreach ($manifest['data'] as $line) {
    hash_update($hash, "{$line['affId']}\t{$line['empreinte']}\t" . ($line['photos'] ?? '') . "\n");
}
if (count($manifest['data']) !== $manifest['meta']['total'] || hash_final($hash) !== $manifest['meta']['hash']) {
    throw new RuntimeException('the manifest is not whole');
}

$wanted = array_column($manifest['data'], null, 'affId');
$left = array_filter($wanted, fn($line) => ($state['have'][$line['affId']]['empreinte'] ?? '') !== $line['empreinte']);
$counts = ['added' => 0, 'updated' => 0, 'removed' => 0];
foreach (array_chunk($left, 100) as $lines) {
    $ids = implode(',', array_map('rawurlencode', array_column($lines, 'affId')));
    [, $page] = call('/v1/properties', ['ids' => $ids, 'snapshot' => $manifest['meta']['snapshot']]);
    if (count($page['data']) !== count($lines)) throw new RuntimeException('properties are missing');
    foreach ($page['data'] as $property) {
        $counts[isset($state['have'][$property['affId']]) ? 'updated' : 'added'] += 1;
        store($property);
        $state['have'][$property['affId']] = $wanted[$property['affId']];
    }
    save($state);
    if (microtime(true) > $deadline) exit(0);
}
foreach (array_keys(array_diff_key($state['have'], $wanted)) as $affId) {
    remove((string) $affId);
    unset($state['have'][$affId]);
    $counts['removed'] += 1;
}
$state['etag'] = $headers['etag'];
save($state);
call('/v1/report', [], [], ['crm' => $crm, 'client' => $client, 'status' => 'success', 'count' => count($wanted),
    'snapshot' => $manifest['meta']['snapshot']] + $counts);

function store(array $property): void { echo "store {$property['affId']}\n"; }

function remove(string $affId): void { echo "remove $affId\n"; }
`;
