import { defineCheck, fail, notApplicable, pass, warn } from '../facts/check.js';
import type { Page } from '../facts/facts.js';

/** A type named by the website must not collide with the other kinds. */
type Found =
  | { readonly kind: 'broken' }
  | { readonly kind: 'untyped' }
  | { readonly kind: 'typed'; readonly name: string };

function readOne(text: string): Found[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [{ kind: 'broken' }];
  }
  return [value].flat().flatMap(typesOf);
}

/** Types of the top-level value, or of the items in its graph. */
function typesOf(value: unknown): Found[] {
  if (typeof value !== 'object' || value === null) return [{ kind: 'untyped' }];
  const fields = new Map(Object.entries(value));
  const graph = fields.get('@graph');
  if (Array.isArray(graph))
    return graph.slice(0, 50).flatMap((one) => (Array.isArray(one) ? [] : ofOne(one)));
  return ofOne(value);
}

function ofOne(value: unknown): Found[] {
  const type =
    typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get('@type') : undefined;
  const name: unknown = Array.isArray(type) ? type[0] : type;
  return [typeof name === 'string' ? { kind: 'typed', name: name.slice(0, 60) } : { kind: 'untyped' }];
}

const textsOf = (pages: readonly Page[]) => pages.flatMap(({ html }) => html.jsonLd);

export const structuredData = defineCheck({
  id: 'structured_data',
  title: 'Structured data can be read',
  category: 'page',
  weight: 4,
  needs: ['pages'],
  judge({ pages }) {
    const texts = textsOf(pages);
    if (texts.length === 0)
      return notApplicable('The requested pages have no JSON-LD.', { pages: pages.length });
    const found = texts.flatMap(readOne);
    const broken = found.filter((one) => one.kind === 'broken').length;
    const untyped = found.filter((one) => one.kind === 'untyped').length;
    const types = [...new Set(found.flatMap((one) => (one.kind === 'typed' ? [one.name] : [])))].slice(0, 20);
    const seen = {
      outcome: broken > 0 ? 'invalid' : 'ok',
      pages: pages.length,
      blocks: texts.length,
      broken,
      types,
    } as const;
    if (broken > 0)
      return fail(
        `${broken} of ${texts.length} blocks of JSON-LD are invalid JSON. Search engines ignore them, and rich results are lost.`,
        seen,
      );
    if (untyped > 0)
      return warn(`${untyped} items in JSON-LD have no @type, so search engines ignore them.`, seen);
    return pass('The JSON-LD of the requested pages can be read.', seen);
  },
});
