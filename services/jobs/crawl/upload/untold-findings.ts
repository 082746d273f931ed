import type { Field } from './columns.js';

/**
 * What some findings of the audit rest on: one of these columns. A file without it says nothing of the finding, which is not that all pages have it. No column
 * tells of hreflang.
 */
const needed: Readonly<Record<string, readonly Field[]>> = {
  missing_titles: ['title'],
  duplicate_titles: ['title'],
  long_titles: ['title'],
  missing_descriptions: ['description'],
  duplicate_descriptions: ['description'],
  missing_h1: ['h1'],
  multiple_h1: ['secondH1'],
  thin_pages: ['words'],
  slow_pages: ['seconds', 'milliseconds'],
  large_pages: ['bytes'],
  hreflang_issues: [],
};

/** Keys of findings that the audit of an upload with these columns leaves out. */
export function untoldFindings(has: (field: Field) => boolean): ReadonlySet<string> {
  const untold = Object.entries(needed).filter(([, fields]) => !fields.some(has));
  return new Set(untold.map(([key]) => key));
}
