import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';
import { html } from 'hono/html';
import swaggerUiPath from 'swagger-ui-dist/absolute-path.js';
import { once } from '../../../shared/once.js';
import type { PublicUrls } from '../../../shared/service/public-urls.js';
import { encodedBytes } from '../answer-cache/encoded-body.js';
import { guideIndex, guidePage, guideText, pages } from '../guides/guide-page.js';
import { API_PREFIX } from '../guides/public-urls.js';
import type { ApiEnv } from '../middleware/env.js';
import { sendBody } from '../reads/send-body.js';

/** The documentation pages: Swagger UI over the OpenAPI document, with files of its package, and the setup guides. */

const assets: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

// Swagger UI sets style attributes and draws its icons as data: images. Nothing is loaded from another host.
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

// Addresses are relative, so the page works behind a proxy with a path prefix.
const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Loglane API</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

const startScript = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#swagger-ui', deepLinking: true, persistAuthorization: false });
`;

export function docsRoutes(urls: PublicUrls): Hono<ApiEnv> {
  const docs = new Hono<ApiEnv>();
  docs.use(`${API_PREFIX}/docs/*`, async (c, next) => {
    await next();
    c.header('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Referrer-Policy', 'no-referrer');
  });
  docs.get(`${API_PREFIX}/docs`, (c) => c.html(page));
  docs.get(`${API_PREFIX}/docs/start.js`, (c) =>
    c.body(startScript, 200, { 'Content-Type': 'text/javascript; charset=utf-8' }),
  );
  for (const [name, type] of Object.entries(assets)) {
    const body = once(() => encodedBytes(readFileSync(join(swaggerUiPath(), name))));
    docs.get(`${API_PREFIX}/docs/${name}`, (c) =>
      sendBody(c, body(), { status: 200, revalidate: true, cacheControl: 'public, max-age=86400', type }),
    );
  }
  // Public pages without a key: each is made once.
  const index = once(() => guideIndex(urls));
  docs.get(`${API_PREFIX}/docs/guides`, (c) => c.html(index()));
  for (const guide of pages) {
    const path = `${API_PREFIX}/docs/guides/${guide}`;
    const page = once(() => guidePage(guide, urls));
    docs.get(path, (c) => c.html(page()));
    // For tools that read the text.
    const text = once(() => guideText(guide, urls).markdown);
    docs.get(`${path}.md`, (c) => c.body(text(), 200, { 'Content-Type': 'text/markdown; charset=utf-8' }));
  }
  return docs;
}
