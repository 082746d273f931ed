import { expect, it } from 'vitest';
import { document } from '../../contract/described.js';
import { isNamed, mixOf, readsOf } from './catalogue.js';

const reads = readsOf(document);
const windowOf = (name: string) => reads.find((read) => read.name === name)?.window;

it('lists all reads of a website, with their required values and their kind of window', () => {
  expect(reads.length).toBeGreaterThan(50);
  expect(windowOf('summary')).toBe('bounds');
  expect(windowOf('crawl-links')).toBe('bounds');
  expect(windowOf('url?path=%2F')).toBe('bounds');
  expect(windowOf('seo/sitemap/url-history?url_path=%2F')).toBe('bounds');
  expect(windowOf('ips/66.249.66.1/requests')).toBe('hours');
  expect(windowOf('seo/index-coverage')).toBe('hours');
  expect(windowOf('page-importance')).toBe('fixed');
  expect(reads.some(({ name }) => /[{}]|download/.test(name))).toBe(false);
});

it('finds reads by their paths, and the reads of a dashboard', () => {
  expect(reads.filter((read) => isNamed(read, ['url'])).map(({ name }) => name)).toEqual(['url?path=%2F']);
  expect(reads.filter((read) => isNamed(read, []))).toEqual(reads);
  expect(mixOf(reads)).toHaveLength(9);
});
