import { expect, it } from 'vitest';
import { exportTypes as typesOfApi } from '../../../../../shared/reads/exports/all-export-types.js';
import { exportTypes } from './export-types.js';

it('offers the types of the API, but the one that needs a pattern', () => {
  const expected = typesOfApi
    .filter(({ name }) => name !== 'url-pattern-urls')
    .map(({ name, title }) => ({ name, title }));
  expect(exportTypes).toEqual(expected);
});
