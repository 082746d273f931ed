import type { Block, ReportDocument, Table } from '../model/document.js';

const ZERO_WIDTH_SPACE = '\u200b';
const breakAfter = new Set('/-_.?&=%,:;');
/** Characters without a place for a line break. */
const LONGEST_RUN = 14;

/** Allows line breaks inside a path or a long word. Typst breaks only at spaces, and longer text runs off the page. Pure. */
export function breakable(text: string): string {
  let run = 0;
  let output = '';
  for (const character of text) {
    output += character;
    run = character === ' ' ? 0 : run + 1;
    if (run < LONGEST_RUN && !(breakAfter.has(character) && run > 2)) continue;
    output += ZERO_WIDTH_SPACE;
    run = 0;
  }
  return output;
}

/** Only words that are longer than a line. */
const breakLong = (text: string) =>
  text
    .split(' ')
    .map((word) => (word.length > 2 * LONGEST_RUN ? breakable(word) : word))
    .join(' ');

/** The document with possible line breaks in every foreign text. */
export function withBreaks(report: ReportDocument): ReportDocument {
  const { cover } = report;
  return {
    ...report,
    cover: {
      ...cover,
      website: breakLong(cover.website),
      preparedFor: cover.preparedFor === null ? null : breakLong(cover.preparedFor),
    },
    sections: report.sections.map((section) => ({ ...section, blocks: section.blocks.map(breakBlock) })),
  };
}

function breakBlock(block: Block): Block {
  switch (block.kind) {
    case 'text':
      return { ...block, text: breakLong(block.text) };
    case 'table':
      return breakTable(block);
    case 'finding':
      return {
        ...block,
        figure: breakLong(block.figure),
        examples: block.examples === null ? null : breakTable(block.examples),
      };
    case 'terms':
      return { ...block, items: block.items.map((item) => ({ ...item, text: breakLong(item.text) })) };
    default:
      return block;
  }
}

function breakTable(table: Table): Table {
  const rows = table.rows.map((row) =>
    row.map((cell, index) => (table.columns[index]!.holds === 'path' ? breakable(cell) : breakLong(cell))),
  );
  return { ...table, rows };
}
