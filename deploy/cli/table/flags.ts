import type { Parameter } from './operation-table.js';

/** `page_size` is the flag `--page-size`. */
export function flagOf({ name }: Pick<Parameter, 'name'>): string {
  return name.toLowerCase().replaceAll('_', '-');
}

/** The name under which commander keeps an option. */
export function attributeOf(name: string): string {
  return flagOf({ name }).replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
