import { html, raw } from 'hono/html';
import { Marked, type Tokens } from 'marked';
import type { PublicUrls } from '../../../shared/service/public-urls.js';
import { guides } from './all-guides.js';
import { type GuideText, readGuide } from './read-guide.js';

/** Setup guides as HTML pages. Links are relative to /public/v1/docs/guides/. */

const style = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 3rem auto; padding: 0 1rem; }
code { overflow-wrap: anywhere; }
pre { overflow-x: auto; background: #f4f4f4; padding: 0.8rem; }
pre code { overflow-wrap: normal; }
table { border-collapse: collapse; }
th, td { border: 1px solid #ccc; padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
`;

/** Pages for all senders. */
const common = ['log-format', 'limits'] as const;

/** All pages except the index. */
export const pages = [...guides, ...common];
export type Page = (typeof pages)[number];

export function guideText(name: Page, urls: PublicUrls): GuideText {
  return readGuide(isCommon(name) ? `${name}.md` : `sources/${name}.md`, urls.ingest);
}

function isCommon(name: Page): boolean {
  return common.some((each) => each === name);
}

export function guidePage(guide: Page, urls: PublicUrls) {
  const { title, markdown } = guideText(guide, urls);
  return page(
    `Sending logs: ${title}`,
    html`${raw(toHtml(markdown))}
<hr>
<p>The ingest key was shown when the website was created. Received and rejected lines, with reasons, are shown by
<code>GET ${urls.base}/public/v1/websites/&lt;website_id&gt;/setup</code>.</p>
<p><a href="log-format">What ingest takes</a> · <a href="limits">Limits</a> · <a href="../guides">All guides</a> · <a href="../../docs">API reference</a></p>`,
  );
}

/** Links are relative to /public/v1/docs/. */
export function guideIndex(urls: PublicUrls) {
  const entries = guides.map(
    (guide) => html`<li><a href="guides/${guide}">${guideText(guide, urls).title}</a></li>\n`,
  );
  return page(
    'Sending logs',
    html`<h1>Sending logs</h1>
<ul>
${entries}</ul>
<p><a href="guides/log-format">What ingest takes</a> · <a href="guides/limits">Limits</a> · <a href="../docs">API reference</a></p>`,
  );
}

function page(title: string, body: ReturnType<typeof html>) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

function toHtml(markdown: string): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const content = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchorOf(text)}">${content}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const content = this.parser.parseInline(tokens);
        const target = targetOf(href);
        return target === null ? content : `<a href="${target}">${content}</a>`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
}

const served = new Set<string>(pages);

/** @returns the page for a document's link; null if the target is not served. */
function targetOf(href: string): string | null {
  if (href.startsWith('https://') || href.startsWith('#')) return href;
  const [file = '', anchor] = href.split('#', 2);
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.md$/, '');
  if (!served.has(name)) return null;
  return anchor === undefined ? name : `${name}#${anchor}`;
}

/** The same anchors as in the documents' own links. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
