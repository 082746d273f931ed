import { InvalidArgumentError } from 'commander';
import type { Parameter } from './operation-table.js';

/** `page_size` is the flag `--page-size`. */
export function flagOf({ name }: Pick<Parameter, 'name'>): string {
  return name.toLowerCase().replaceAll('_', '-');
}

/** The name under which commander keeps an option. */
export function attributeOf(name: string): string {
  return flagOf({ name }).replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Parses an option. @throws InvalidArgumentError */
export function wholeCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number.');
  return Number(text);
}

/** Parses an option that is at least one. @throws InvalidArgumentError */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('must be a whole number from 1.');
  return Number(text);
}
