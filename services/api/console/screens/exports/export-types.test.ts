import { expect, it } from 'vitest';
import { exportTypes as typesOfApi } from '../../../../../shared/reads/exports/all-export-types.js';
import type { ExportType as ApiType } from '../../../../../shared/reads/exports/export-type.js';
import { type ExportFilter, exportTypes } from './export-types.js';

/** Filters of the console by the names of the API. */
const ofConsole: ReadonlyMap<string, ExportFilter> = new Map([
  ['bot', 'bot'],
  ['status', 'status'],
  ['status_category', 'status_category'],
  ['host', 'host'],
  ['file_type', 'file_type'],
  ['params_filter', 'params_filter'],
  ['directory', 'directory'],
  ['countries', 'countries'],
  ['path_filter', 'path'],
]);

function filtersOf({ knows, filterValues = [] }: ApiType): ExportFilter[] {
  const known = knows.flatMap((name) => ofConsole.get(name) ?? []);
  return filterValues.includes('verified') ? [...known, 'verified'] : known;
}

it('offers the types of the API with their filters, but the one that needs a pattern', () => {
  const expected = typesOfApi
    .filter(({ name }) => name !== 'url-pattern-urls')
    .map((type) => ({
      name: type.name,
      title: type.title,
      filters: filtersOf(type).toSorted(),
      hasWindow: type.since === undefined,
    }));
  expect(exportTypes.map((type) => ({ ...type, filters: type.filters.toSorted() }))).toEqual(expected);
});
