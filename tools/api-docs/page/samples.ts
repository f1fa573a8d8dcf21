import type { NamedCall } from './description';

/** A call in three languages. The key comes from the environment variable LISTINGS_KEY, as keys should. */
export interface Sample {
  language: 'curl' | 'PHP' | 'TypeScript';
  text: string;
}

/** @param baseUrl without a slash at its end */
export function samplesOf(baseUrl: string, named: NamedCall): Sample[] {
  const request = requestOf(baseUrl, named);
  return [
    { language: 'curl', text: inCurl(request) },
    { language: 'PHP', text: inPhp(request) },
    { language: 'TypeScript', text: inTypeScript(request) },
  ];
}

interface SampleRequest {
  method: string;
  url: string;
  hasKey: boolean;
  /** JSON, in lines. */
  body: string | null;
}

/** The call with the examples of what it requires. */
function requestOf(baseUrl: string, { method, path, call }: NamedCall): SampleRequest {
  let filled = path;
  const query = new URLSearchParams();
  for (const { name, in: place, required, example } of call.parameters ?? []) {
    const value = String(example);
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    else if (place === 'query' && required) query.set(name, value);
  }
  const example = call.requestBody?.content['application/json']?.example;
  return {
    method,
    url: baseUrl + filled + (query.size === 0 ? '' : `?${query.toString()}`),
    hasKey: call.security.length > 0,
    body: example === undefined ? null : JSON.stringify(example, null, 2),
  };
}

function inCurl({ method, url, hasKey, body }: SampleRequest): string {
  return [
    `curl --fail-with-body --compressed ${method === 'GET' ? '' : `--request ${method} `}'${url}'`,
    ...(hasKey ? ['--header "Key: $LISTINGS_KEY"'] : []),
    ...(body === null
      ? []
      : [`--header 'Content-Type: application/json'`, `--data '${body.replaceAll("'", `'\\''`)}'`]),
  ].join(' \\\n  ');
}

function inPhp({ method, url, hasKey, body }: SampleRequest): string {
  const headers = [
    ...(hasKey ? [`'Key: ' . getenv('LISTINGS_KEY')`] : []),
    ...(body === null ? [] : [`'Content-Type: application/json'`]),
  ];
  // The others follow from whether there is a body.
  const named = method === 'GET' || body !== null ? '' : `    CURLOPT_CUSTOMREQUEST => '${method}',\n`;
  return `<?php
$curl = curl_init('${url}');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_ENCODING => '',
    CURLOPT_TIMEOUT => 20,
${named}${headers.length === 0 ? '' : `    CURLOPT_HTTPHEADER => [${headers.join(', ')}],\n`}${
    body === null ? '' : `    CURLOPT_POSTFIELDS => <<<'JSON'\n${body}\nJSON,\n`
  }]);
$text = curl_exec($curl);
$status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
if ($text === false || $status >= 300) throw new RuntimeException("answered $status: " . ($text ?: curl_error($curl)));
echo $text;
`;
}

function inTypeScript({ method, url, hasKey, body }: SampleRequest): string {
  const headers = [
    ...(hasKey ? [`key: process.env.LISTINGS_KEY ?? ''`] : []),
    ...(body === null ? [] : [`'content-type': 'application/json'`]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(body === null ? [] : [`body: JSON.stringify(${body.replaceAll('\n', '\n  ')})`]),
    'signal: AbortSignal.timeout(20_000)',
  ];
  return `const response = await fetch('${url}', {
${options.map((option) => `  ${option},\n`).join('')}});
const text = await response.text();
if (!response.ok) throw new Error('answered ' + response.status + ': ' + text);
console.log(text);
`;
}
