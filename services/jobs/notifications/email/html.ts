import { escapeMarkup } from '../../html/escape-markup.js';

/** HTML of e-mails. Texts are escaped and no remote content is loaded. */

/** @param rows escaped here */
export function htmlTable(rows: readonly (readonly [name: string, value: string])[]): string {
  const cells = rows.map(
    ([name, value]) =>
      `<tr><td style="padding:2px 12px 2px 0;color:#555;vertical-align:top">${escapeMarkup(name)}</td><td style="padding:2px 0;word-break:break-word">${escapeMarkup(value)}</td></tr>`,
  );
  return `<table style="border-collapse:collapse">${cells.join('')}</table>`;
}

/** @param body HTML */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html><html><head><meta charset="utf-8"><meta name="format-detection" content="telephone=no,address=no,email=no,url=no"><title>${escapeMarkup(title)}</title></head><body style="font-family:sans-serif;font-size:14px;color:#222">${body}</body></html>`;
}
