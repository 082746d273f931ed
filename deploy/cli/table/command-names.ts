import type { CliOperation } from './operation-table.js';

/** Group and verb of an operation's command: `getBotsAccess` of the tag Traffic is `traffic bots-access`. */

/** Names of commands that are no groups. A group of this name gets an ending. */
const TASKS: ReadonlySet<string> = new Set(['ai', 'seo', 'url', 'overview', 'incidents']);

export function groupOf({ tag }: Pick<CliOperation, 'tag'>): string {
  const name = tag.toLowerCase().replaceAll(' ', '-');
  return TASKS.has(name) ? `${name}-reads` : name;
}

/** The id without `get` and without the words of the tag. Without any other word: `get`. */
export function verbOf({ id, tag }: Pick<CliOperation, 'id' | 'tag'>): string {
  const words = wordsOf(id.replaceAll(/([A-Z])/g, ' $1'));
  const known = new Set(wordsOf(tag).flatMap((word) => [word, singular(word)]));
  const verb = words.filter((word, place) => !(place === 0 && word === 'get') && !known.has(word));
  return verb.length === 0 ? 'get' : verb.join('-');
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(' ')
    .filter((word) => word !== '');
}

function singular(word: string): string {
  return word.endsWith('s') ? word.slice(0, -1) : word;
}
