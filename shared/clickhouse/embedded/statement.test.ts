import { describe, expect, test } from 'vitest';
import { parseStatement, renderCommand, renderInsert, renderRead } from './statement.js';

const settings = new Map([['max_threads', '1']]);

describe('parseStatement', () => {
  test('cuts the format off a read and puts format and settings behind the whole', () => {
    const statement = parseStatement("SELECT 'FORMAT x' AS format -- FORMAT CSV\nFORMAT JSONEachRow ; ");
    if (statement.kind !== 'read') throw new Error(statement.kind);
    expect(statement.format).toBe('JSONEachRow');
    expect(renderRead(statement.head, 'CSV', settings)).toBe(
      "SELECT 'FORMAT x' AS format -- FORMAT CSV\n\nFORMAT CSV\nSETTINGS max_threads = 1",
    );
  });

  test.each(['SELECT 1', 'select formatReadableSize(1) AS format', 'SELECT (SELECT 1 FORMAT) FORMAT'])(
    'finds no format in %s',
    (sql) => {
      expect(parseStatement(sql)).toMatchObject({ kind: 'read', format: null });
    },
  );

  test('separates the data of an insert', () => {
    const sql = 'INSERT INTO t (a, format) SETTINGS x = 1 FORMAT TabSeparated\n;1\tx\n';
    const statement = parseStatement(sql);
    if (statement.kind !== 'insert') throw new Error(statement.kind);
    expect(statement).toMatchObject({ format: 'TabSeparated' });
    expect(sql.slice(statement.dataStart)).toBe(';1\tx\n');
    expect(renderInsert('INSERT INTO t (a)', 'CSV', settings)).toBe(
      'INSERT INTO t (a)\nSETTINGS max_threads = 1 FORMAT CSV',
    );
  });

  test('keeps an INSERT … SELECT and an INSERT … VALUES whole', () => {
    const select = parseStatement('INSERT INTO t SELECT 1 FORMAT Null');
    const values = parseStatement("INSERT INTO t (a) VALUES ('x;')");
    expect(select.kind).toBe('command');
    if (values.kind !== 'command') throw new Error(values.kind);
    expect(renderCommand(values, settings)).toBe(
      "INSERT INTO t (a) \nSETTINGS max_threads = 1 VALUES ('x;')",
    );
  });

  test("gives DDL its settings behind a format, where they are not the table's", () => {
    const statement = parseStatement('CREATE TABLE t (a Int8) ENGINE = Memory;');
    if (statement.kind !== 'command') throw new Error(statement.kind);
    expect(renderCommand(statement, settings)).toBe(
      'CREATE TABLE t (a Int8) ENGINE = Memory\nFORMAT Null\nSETTINGS max_threads = 1',
    );
    expect(renderCommand(statement, new Map())).toBe('CREATE TABLE t (a Int8) ENGINE = Memory');
  });

  test.each(['SELECT 1; DROP TABLE t', "SELECT 1 /* ; */ ; SET a = 'b'"])(
    'refuses a second statement: %s',
    (sql) => {
      expect(() => parseStatement(sql)).toThrow(/Code: 62.*Multi-statements/);
    },
  );

  test.each(['SET readonly = 1', 'use other', '-- x\n DETACH TABLE t'])(
    'refuses what would stick: %s',
    (sql) => {
      expect(() => parseStatement(sql)).toThrow(/Code: 48/);
    },
  );

  test.each(['', '  -- nothing\n', ';'])('calls %j an empty query', (sql) => {
    expect(() => parseStatement(sql)).toThrow(/Code: 62.*Empty query/);
  });
});
