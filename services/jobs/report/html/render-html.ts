import { escapeMarkup as escape } from '../charts/svg.js';
import type { Block, FindingBlock, ReportDocument, Section, Table } from '../document.js';
import { STYLE } from './style.js';

/** One file that needs nothing else: no script, no style sheet, no picture and no font from anywhere. Every text goes in escaped. Pure. */
export function renderHtml({ title, cover, sections }: ReportDocument): string {
  const name = `${title}: ${cover.website}`;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    // A website that opens the file as its own must not run anything in it.
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer">',
    `<title>${escape(name)}</title><style>${STYLE}</style></head><body>`,
    `<header><p class="kind">${escape(title)}</p><h1 dir="auto">${escape(cover.website)}</h1>`,
    ...(cover.preparedFor === null
      ? []
      : [`<p class="for">Prepared for <bdi>${escape(cover.preparedFor)}</bdi></p>`]),
    `<p>${escape(cover.period)}<br>Made on ${escape(cover.madeOn)}</p></header>`,
    `<nav aria-label="Contents"><ol>${sections.map(toEntry).join('')}</ol></nav>`,
    `<main>${sections.map(renderSection).join('')}</main></body></html>`,
  ].join('\n');
}

const toEntry = ({ id, title }: Section) => `<li><a href="#${escape(id)}">${escape(title)}</a></li>`;

function renderSection({ id, title, blocks }: Section): string {
  const heading = `${escape(id)}-title`;
  return `<section id="${escape(id)}" aria-labelledby="${heading}"><h2 id="${heading}">${escape(title)}</h2>${blocks.map(renderBlock).join('\n')}</section>`;
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'text':
      return `<p dir="auto">${escape(block.text)}</p>`;
    case 'figures':
      return `<dl class="figures">${block.figures
        .map(
          ({ label, value, note }) =>
            `<div><dt>${escape(label)}</dt><dd><b>${escape(value)}</b><span>${escape(note)}</span></dd></div>`,
        )
        .join('')}</dl>`;
    case 'chart':
      return `<figure><figcaption>${escape(block.caption)}</figcaption>${block.svg}<p class="alt">${escape(block.alt)}</p></figure>`;
    case 'table':
      return renderTable(block);
    case 'finding':
      return renderFinding(block);
    case 'terms':
      return `<dl class="terms">${block.items
        .map(({ term, text }) => `<dt>${escape(term)}</dt><dd dir="auto">${escape(text)}</dd>`)
        .join('')}</dl>`;
  }
}

function renderTable({ caption, columns, rows }: Table): string {
  const head = columns.map(({ title, holds }) => `<th scope="col" class="${holds}">${escape(title)}</th>`);
  const body = rows.map((row) => {
    const cells = row.map(
      (cell, index) => `<td class="${columns[index]!.holds}"><bdi>${escape(cell)}</bdi></td>`,
    );
    return `<tr>${cells.join('')}</tr>`;
  });
  const shown = body.length === 0 ? `<tr><td colspan="${columns.length}">none</td></tr>` : body.join('');
  return `<table><caption>${escape(caption)}</caption><thead><tr>${head.join('')}</tr></thead><tbody>${shown}</tbody></table>`;
}

function renderFinding({ place, level, title, figure, why, action, read, examples }: FindingBlock): string {
  return [
    `<article class="finding ${level}"><h3>${place}. ${escape(title)} <span class="level">${level}</span></h3>`,
    `<p class="figure" dir="auto">${escape(figure)}</p>`,
    `<p><b>Why it matters.</b> ${escape(why)}</p><p><b>What to do.</b> ${escape(action)}</p>`,
    examples === null ? '' : renderTable(examples),
    `<p class="read">Figures: <code>${escape(read)}</code></p></article>`,
  ].join('');
}
