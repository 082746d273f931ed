import type { Finding } from './rule.js';

/**
 * Up to this many findings of a rule in one window have one alert each. More have one cause, or are invented
 * names: one alert.
 */
const MOST_APART = 5;

/**
 * @param each the alert for one item
 * @param together the alert for all items, whose subject is the whole website
 * @param count the true number, if more items exist than are listed
 */
export function apartOrTogether<Item>(
  items: readonly Item[],
  each: (item: Item) => Finding,
  together: (items: readonly Item[]) => Omit<Finding, 'subject'>,
  count = items.length,
): readonly Finding[] {
  return count <= MOST_APART ? items.map(each) : [{ subject: '', ...together(items) }];
}

/** 'Googlebot, bingbot, GPTBot and more' */
export function firstOf(names: readonly string[]): string {
  return `${names.slice(0, 3).join(', ')} and more`;
}

/** Names in `details`, at most as many as a person reads. */
export const listed = (names: readonly string[]): readonly string[] => names.slice(0, 20);
