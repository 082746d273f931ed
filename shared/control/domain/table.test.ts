import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTable } from './table.js';

interface Row {
  readonly id: string;
  readonly owner: string;
  readonly colour: string;
}

test('a table returns the same as a linear search of a list', () => {
  const step = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    colour: fc.constantFrom('red', 'blue', 'none'),
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const table = createTable<Row, 'owner'>(['owner'], (row) => row.colour === 'red');
      const model: Row[] = [];
      for (const { id, colour } of steps) {
        if (colour === 'none') {
          table.remove(id);
          const index = model.findIndex((each) => each.id === id);
          if (index >= 0) model.splice(index, 1);
          continue;
        }
        const row = { id, colour, owner: id < 'c' ? 'one' : 'two' };
        table.put(row);
        const index = model.findIndex((each) => each.id === id);
        if (index < 0) model.push(row);
        else model[index] = row;
      }
      expect(table.size).toBe(model.length);
      expect([...table.values()]).toEqual(model);
      for (const owner of ['one', 'two', 'none'])
        expect(table.by('owner', owner)).toEqual(model.filter((row) => row.owner === owner));
      expect(new Set(table.marked())).toEqual(new Set(model.filter((row) => row.colour === 'red')));
      for (const id of ['a', 'e', 'x']) expect(table.get(id)).toEqual(model.find((row) => row.id === id));
    }),
  );
});
