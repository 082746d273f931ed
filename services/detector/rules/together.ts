import type { Finding } from './rule.js';

/** So many findings of a rule in one window have an alert each; more have one cause, or are made up: one alert. */
const MOST_APART = 5;

/** @param each the alert of one @param together the alert of all, whose subject is the whole website @param count where there are more than are listed */
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

/** Names in `details`, as many as a person looks through. */
export const listed = (names: readonly string[]): readonly string[] => names.slice(0, 20);
