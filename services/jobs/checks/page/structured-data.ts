import { defineCheck, fail, notApplicable, pass, warn } from '../check.js';
import type { Page } from '../facts.js';

type Found = 'broken' | 'untyped' | string;

function readOne(text: string): Found[] {
  try {
    const value: unknown = JSON.parse(text);
    return [value].flat().flatMap(typesOf);
  } catch {
    return ['broken'];
  }
}

/** Of what stands at the top, or in its graph. */
function typesOf(value: unknown): Found[] {
  if (typeof value !== 'object' || value === null) return ['untyped'];
  const fields = new Map(Object.entries(value));
  const graph = fields.get('@graph');
  if (Array.isArray(graph))
    return graph.slice(0, 50).flatMap((one) => (Array.isArray(one) ? [] : ofOne(one)));
  return ofOne(value);
}

function ofOne(value: unknown): Found[] {
  const type =
    typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get('@type') : undefined;
  return typeof type === 'string'
    ? [type.slice(0, 60)]
    : Array.isArray(type)
      ? [String(type[0]).slice(0, 60)]
      : ['untyped'];
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
      return notApplicable('The pages that were asked have no JSON-LD.', { pages: pages.length });
    const found = texts.flatMap(readOne);
    const broken = found.filter((one) => one === 'broken').length;
    const untyped = found.filter((one) => one === 'untyped').length;
    const types = [...new Set(found)].filter((one) => one !== 'broken' && one !== 'untyped').slice(0, 20);
    const seen = {
      outcome: broken > 0 ? 'invalid' : 'ok',
      pages: pages.length,
      blocks: texts.length,
      broken,
      types,
    } as const;
    if (broken > 0)
      return fail(
        `${broken} of ${texts.length} blocks of JSON-LD are no JSON. Search engines pass over them, and rich results are lost.`,
        seen,
      );
    if (untyped > 0)
      return warn(`${untyped} things in JSON-LD have no @type, so that they say nothing.`, seen);
    return pass('The JSON-LD of the pages that were asked can be read.', seen);
  },
});
