import { expect, it } from 'vitest';
import { notesOf } from './answer-view.js';

it('notes that a large unique count is an estimate', () => {
  expect(notesOf({ unique_paths: 500, unique_ips: 3 })).toEqual([]);
  expect(notesOf({ unique_paths: 637 })).toEqual([expect.stringContaining('estimates above 500')]);
});
