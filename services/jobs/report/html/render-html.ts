import { escapeMarkup } from '../../html/escape-markup.js';
import type { Block, FindingBlock, ReportDocument, Section, Table } from '../model/document.js';
import { STYLE } from './style.js';

/** One self-contained file without scripts, and without external style sheets, pictures and fonts. Every text is escaped. Pure. */
export function renderHtml({ title, cover, sections }: ReportDocument): string {
  const name = `${title}: ${cover.website}`;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    // If another website serves the file, it must not run anything.
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer">',
    `<title>${escapeMarkup(name)}</title><style>${STYLE}</style></head><body>`,
    `<header><p class="kind">${escapeMarkup(title)}</p><h1 dir="auto">${escapeMarkup(cover.website)}</h1>`,
    ...(cover.preparedFor === null
      ? []
      : [`<p class="for">Prepared for <bdi>${escapeMarkup(cover.preparedFor)}</bdi></p>`]),
    `<p>${escapeMarkup(cover.period)}<br>Made on ${escapeMarkup(cover.madeOn)}</p></header>`,
    `<nav aria-label="Contents"><ol>${sections.map(toEntry).join('')}</ol></nav>`,
    `<main>${sections.map(renderSection).join('')}</main></body></html>`,
  ].join('\n');
}

const toEntry = ({ id, title }: Section) =>
  `<li><a href="#${escapeMarkup(id)}">${escapeMarkup(title)}</a></li>`;

function renderSection({ id, title, blocks }: Section): string {
  const heading = `${escapeMarkup(id)}-title`;
  return `<section id="${escapeMarkup(id)}" aria-labelledby="${heading}"><h2 id="${heading}">${escapeMarkup(title)}</h2>${blocks.map(renderBlock).join('\n')}</section>`;
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'text':
      return `<p dir="auto">${escapeMarkup(block.text)}</p>`;
    case 'figures':
      return `<dl class="figures">${block.figures
        .map(
          ({ label, value, note }) =>
            `<div><dt>${escapeMarkup(label)}</dt><dd><b>${escapeMarkup(value)}</b><span>${escapeMarkup(note)}</span></dd></div>`,
        )
        .join('')}</dl>`;
    case 'chart':
      return `<figure><figcaption>${escapeMarkup(block.caption)}</figcaption>${block.svg}<p class="alt">${escapeMarkup(block.alt)}</p></figure>`;
    case 'table':
      return renderTable(block);
    case 'finding':
      return renderFinding(block);
    case 'terms':
      return `<dl class="terms">${block.items
        .map(({ term, text }) => `<dt>${escapeMarkup(term)}</dt><dd dir="auto">${escapeMarkup(text)}</dd>`)
        .join('')}</dl>`;
  }
}

function renderTable({ caption, columns, rows }: Table): string {
  const head = columns.map(
    ({ title, holds }) => `<th scope="col" class="${holds}">${escapeMarkup(title)}</th>`,
  );
  const body = rows.map((row) => {
    const cells = row.map(
      (cell, index) => `<td class="${columns[index]!.holds}"><bdi>${escapeMarkup(cell)}</bdi></td>`,
    );
    return `<tr>${cells.join('')}</tr>`;
  });
  const shown = body.length === 0 ? `<tr><td colspan="${columns.length}">none</td></tr>` : body.join('');
  return `<table><caption>${escapeMarkup(caption)}</caption><thead><tr>${head.join('')}</tr></thead><tbody>${shown}</tbody></table>`;
}

function renderFinding({ place, level, title, figure, why, action, read, examples }: FindingBlock): string {
  return [
    `<article class="finding ${level}"><h3>${place}. ${escapeMarkup(title)} <span class="level">${level}</span></h3>`,
    `<p class="figure" dir="auto">${escapeMarkup(figure)}</p>`,
    `<p><b>Why it matters.</b> ${escapeMarkup(why)}</p><p><b>What to do.</b> ${escapeMarkup(action)}</p>`,
    examples === null ? '' : renderTable(examples),
    `<p class="read">Figures: <code>${escapeMarkup(read)}</code></p></article>`,
  ].join('');
}
