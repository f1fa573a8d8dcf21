import { createHash } from 'node:crypto';
import type { DemoGateway } from '../../config';
import { SCRIPT } from './script';
import { STYLE } from './style';

/** Lets the page run its own script and call the API, and nothing else. */
export const DOCS_CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `script-src '${hashOf(SCRIPT)}'`,
  `style-src '${hashOf(STYLE)}'`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page on which a person can try each call. It loads nothing from other sites, and builds itself from openapi.json. */
export function docsPage(demoGateways: readonly DemoGateway[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Real-estate listings gateway</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body data-demo="${escapeAttribute(JSON.stringify(demoGateways))}">
<header>
<h1>Real-estate listings gateway</h1>
<p>Every call of the API, to be tried from here. The machine-readable description is <a href="openapi.json">openapi.json</a>.</p>
</header>
<section id="gateway" aria-label="Gateway">
<h2>Gateway</h2>
<div class="row">
<label id="demo" hidden>Demo <select></select></label>
<label>crm <input id="crm" autocomplete="off" spellcheck="false" placeholder="connector code"></label>
<label>client <input id="client" autocomplete="off" spellcheck="false" placeholder="client slug"></label>
<label class="wide">API key <input id="key" autocomplete="off" spellcheck="false" placeholder="sent in the header Key"></label>
</div>
<p class="hint">The key stays in this tab. Keys belong on servers: do not build a browser front end like this page.</p>
</section>
<main id="calls"><p class="hint">Reading openapi.json…</p></main>
<noscript>This page needs JavaScript; openapi.json says the same for machines.</noscript>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function escapeAttribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}
