import type { Choice, Judge, ListedTool } from './judge.js';

/** Usual constants of BM25: saturation of repeated words, and weight of a text's length. */
const K1 = 1.2;
const B = 0.75;

/** Arguments whose value decides what a tool answers. */
const DECIDING = ['view', 'by'] as const;

const STOP_WORDS = new Set(
  'a an and are as at be by can did do does for from give has have how i in is it its list me my of on or our out over per please show that the them there this to us was we what when where which who why with you your'.split(
    ' ',
  ),
);

/** Words of a text in lower case, without endings of plural and of verbs. */
export function words(text: string): string[] {
  const found = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return found.filter((word) => !STOP_WORDS.has(word)).map(stem);
}

function stem(word: string): string {
  for (const ending of ['ing', 'ers', 'er', 'ies', 'ed', 'es', 's', 'e', 'y'])
    if (word.endsWith(ending) && word.length - ending.length >= 3) return word.slice(0, -ending.length);
  return word;
}

/** Ranks texts by BM25; the result has the order of `texts`. */
function bm25(query: readonly string[], texts: readonly (readonly string[])[]): number[] {
  const meanLength = Math.max(1, texts.reduce((sum, text) => sum + text.length, 0) / texts.length);
  const weights = new Map(
    query.map((word) => {
      const having = texts.filter((text) => text.includes(word)).length;
      return [word, Math.log(1 + (texts.length - having + 0.5) / (having + 0.5))];
    }),
  );
  return texts.map((text) =>
    [...weights].reduce((sum, [word, weight]) => {
      const times = text.filter((other) => other === word).length;
      return sum + (weight * times * (K1 + 1)) / (times + K1 * (1 - B + (B * text.length) / meanLength));
    }, 0),
  );
}

function best<Item>(items: readonly Item[], scores: readonly number[]): Item | undefined {
  const highest = Math.max(...scores);
  return highest > 0 ? items[scores.indexOf(highest)] : undefined;
}

interface Property {
  enum?: unknown[];
  description?: string;
}

const propertiesOf = ({ inputSchema }: ListedTool) =>
  Object.entries((inputSchema.properties ?? {}) as Record<string, Property>);

const valuesOf = ({ enum: values = [] }: Property) => values.map(String);

function textOfTool(tool: ListedTool): string {
  const properties = propertiesOf(tool).map(([name, property]) =>
    [name, property.description ?? '', ...valuesOf(property)].join(' '),
  );
  return [tool.name, tool.title ?? '', tool.description ?? '', ...properties].join(' ');
}

/** A value and its part of the description: `value: text` up to the next value, or `text (value)` since the comma before. */
function textOfValue(value: string, values: readonly string[], description: string): string {
  const start = description.indexOf(` ${value}: `);
  if (start !== -1) {
    const text = description.slice(start + value.length + 3);
    const ends = values.map((other) => text.indexOf(` ${other}: `)).filter((end) => end !== -1);
    return `${value} ${text.slice(0, Math.min(text.length, ...ends))}`;
  }
  const end = description.indexOf(`(${value})`);
  if (end === -1) return value;
  return `${value} ${description.slice(description.slice(0, end).lastIndexOf(',') + 1, end)}`;
}

function decide(tool: ListedTool, query: readonly string[]): Choice['arguments'] {
  for (const [name, property] of propertiesOf(tool)) {
    if (!DECIDING.some((deciding) => deciding === name)) continue;
    const values = valuesOf(property);
    const description = ` ${tool.description ?? ''} ${property.description ?? ''}`;
    const texts = values.map((value) => words(textOfValue(value, values, description)));
    const value = best(values, bm25(query, texts));
    return value === undefined ? {} : { [name]: value };
  }
  return {};
}

/**
 * Chooses by the words that a question shares with a tool's text. It knows no synonyms: what it gets right, a model has in words; what it
 * gets wrong shows words of users that the texts lack.
 */
export function lexicalJudge(tools: readonly ListedTool[]): Judge {
  const texts = tools.map((tool) => words(textOfTool(tool)));
  return {
    name: 'lexical',
    bar: 0.75,
    judged: DECIDING,
    choose: async (wording) => {
      const query = words(wording);
      const tool = best(tools, bm25(query, texts));
      return tool === undefined ? null : { tool: tool.name, arguments: decide(tool, query) };
    },
  };
}
