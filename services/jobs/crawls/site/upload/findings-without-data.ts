import type { Field } from './columns.js';

/**
 * The columns on which findings of the audit depend. A file needs one of them, or the finding is left out: a missing column does not mean that all pages
 * have the fault. No column has hreflang.
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

/** Keys of findings that the audit leaves out for an upload with these columns. */
export function findingsWithoutData(has: (field: Field) => boolean): ReadonlySet<string> {
  const withoutData = Object.entries(needed).filter(([, fields]) => !fields.some(has));
  return new Set(withoutData.map(([key]) => key));
}
