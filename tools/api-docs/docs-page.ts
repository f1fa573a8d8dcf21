import { readFileSync } from 'node:fs';
import { ASSET_TYPES } from '../../apps/api/src/discovery/documents';

/** Loads nothing from other sites. @param demoGateways the gateways with public keys, in JSON */
export function docsPage(demoGateways: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Real-estate listings gateway</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="docs/swagger-ui.css" />
  </head>
  <body data-demo="${demoGateways}">
    <div id="ui"></div>
    <noscript><p>This page needs JavaScript. <a href="openapi.json">openapi.json</a> says the same for machines.</p></noscript>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;
}

/** Calls the API that served the page. Removes optional parameters' examples, because Swagger UI would fill them in. */
const START = `const [demo] = JSON.parse(document.body.dataset.demo);
fetch('openapi.json')
  .then((response) => response.json())
  .then((spec) => {
    for (const operation of Object.values(spec.paths).flatMap((methods) => Object.values(methods)))
      for (const parameter of operation.parameters ?? []) if (!parameter.required) delete parameter.example;
    const base = new URL('.', location.href).href.replace(/\\/$/, '');
    const ui = SwaggerUIBundle({
      spec: { ...spec, servers: [{ url: base }] },
      dom_id: '#ui',
      deepLinking: true,
      defaultModelsExpandDepth: 0,
      validatorUrl: null,
      onComplete: () => {
        if (demo !== undefined) ui.preauthorizeApiKey('Key', demo.key);
        document.body.dataset.isReady = '';
      },
    });
  });
`;

/** The files that the page loads; Swagger UI's files are unchanged. */
export function docsAssets(): Record<string, string> {
  return Object.fromEntries(
    Object.keys(ASSET_TYPES).map((file) => [
      file,
      file === 'start.js' ? START : readFileSync(require.resolve(`swagger-ui-dist/${file}`), 'utf8'),
    ]),
  );
}
