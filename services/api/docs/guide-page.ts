import { html } from 'hono/html';
import { type Platform, platforms } from '../../../shared/control/model.js';
import type { PublicUrls } from '../../../shared/service/public-urls.js';
import { setupGuide } from '../setup-guide.js';

/** A setup guide as a page. Links are relative to /public/v1/docs/guides/. */
export function guidePage(sourceType: Platform, urls: PublicUrls) {
  const { title, steps } = setupGuide(sourceType, urls.ingest);
  const others = platforms.filter((other) => other !== sourceType);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sending logs from ${title}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 3rem auto; padding: 0 1rem; }
li { margin: 0.6rem 0; overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>Sending logs from ${title}</h1>
<ol>
${steps.map((step) => html`<li>${step}</li>\n`)}
</ol>
<p>The ingest key was shown when the website was created. Whether logs arrive is answered by
<code>GET ${urls.base}/public/v1/websites/&lt;website_id&gt;/setup</code>.</p>
<p>Other platforms: ${others.map((other) => html`<a href="${other}">${setupGuide(other, urls.ingest).title}</a> `)}</p>
<p><a href="../docs">API reference</a></p>
</body>
</html>
`;
}
