import { describe, expect, test } from 'vitest';
import { parseStatement, renderCommand, renderInsert, renderRead } from './statement.js';

const settings = new Map([['max_threads', '1']]);

describe('parseStatement', () => {
  test('removes the format of a read, and appends format and settings to the whole statement', () => {
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
    expect(renderInsert(statement, "/data/it's", settings)).toBe(
      "INSERT INTO t (a, format) \nFROM INFILE '/data/it\\'s' COMPRESSION 'none' SETTINGS x = 1, max_threads = 1\nFORMAT TabSeparated",
    );
  });

  test('treats the rows of VALUES as data, and does not split an INSERT … SELECT', () => {
    const values = "INSERT INTO t (a) VALUES ('x;')";
    const statement = parseStatement(values);
    if (statement.kind !== 'insert') throw new Error(statement.kind);
    expect(statement).toMatchObject({ head: 'INSERT INTO t (a) ', format: 'Values', settings: '' });
    expect(values.slice(statement.dataStart)).toBe("('x;')");
    const select = parseStatement('INSERT INTO t SELECT 1');
    if (select.kind !== 'command') throw new Error(select.kind);
    expect(renderCommand(select, settings)).toBe('INSERT INTO t SELECT 1\nSETTINGS max_threads = 1');
  });

  test('writes settings of DDL after a format, so they are not settings of the table', () => {
    const statement = parseStatement('CREATE TABLE t (a Int8) ENGINE = Memory;');
    if (statement.kind !== 'command') throw new Error(statement.kind);
    expect(renderCommand(statement, settings)).toBe(
      'CREATE TABLE t (a Int8) ENGINE = Memory\nFORMAT Null\nSETTINGS max_threads = 1',
    );
    expect(renderCommand(statement, new Map())).toBe('CREATE TABLE t (a Int8) ENGINE = Memory');
  });

  test("adds settings to an ALTER's own settings", () => {
    const rendered = (sql: string) => {
      const statement = parseStatement(sql);
      if (statement.kind !== 'command') throw new Error(statement.kind);
      return renderCommand(statement, settings);
    };
    expect(rendered('ALTER TABLE t MODIFY COLUMN a String SETTINGS alter_sync = 0')).toBe(
      'ALTER TABLE t MODIFY COLUMN a String SETTINGS alter_sync = 0, max_threads = 1',
    );
    expect(rendered('ALTER TABLE t MODIFY SETTING b = 1')).toBe(
      'ALTER TABLE t MODIFY SETTING b = 1\nFORMAT Null\nSETTINGS max_threads = 1',
    );
  });

  test.each(['SELECT 1; DROP TABLE t', "SELECT 1 /* ; */ ; SET a = 'b'"])(
    'refuses a second statement: %s',
    (sql) => {
      expect(() => parseStatement(sql)).toThrow(/Code: 62.*Multi-statements/);
    },
  );

  test.each(['SET readonly = 1', 'use other', '-- x\n DETACH TABLE t'])(
    'refuses statements that change the session: %s',
    (sql) => {
      expect(() => parseStatement(sql)).toThrow(/Code: 48/);
    },
  );

  test.each(['', '  -- nothing\n', ';'])('reports an empty query for %j', (sql) => {
    expect(() => parseStatement(sql)).toThrow(/Code: 62.*Empty query/);
  });
});
