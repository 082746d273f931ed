import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

/**
 * `table[text]` on a plain object also finds `constructor` and other members of its prototype. A log line could choose such a name and
 * get a value of another type. Tables with text keys are a `Map`, or are checked with `Object.hasOwn` first.
 */

/** All code that runs in production: foreign text passes through most of it. */
const FOLDERS = ['services/', 'shared/', 'deploy/'];

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};

/** Look-ups with a non-literal string in an object that is no array, without a check of own properties. */
function lookupsByText(files: readonly string[], host = ts.createCompilerHost(options)): string[] {
  const program = ts.createProgram([...files], options, host);
  const checker = program.getTypeChecker();
  const found: string[] = [];
  for (const file of files) {
    const source = program.getSourceFile(file) as ts.SourceFile;
    const visit = (node: ts.Node): void => {
      if (ts.isElementAccessExpression(node) && isText(node.argumentExpression) && !isOwn(node)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.push(`${relative('.', file)}:${line + 1} ${node.getText()}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;

  /** The type is string itself: a union of literals contains only names from our code. */
  function isText(key: ts.Expression): boolean {
    const type = checker.getTypeAtLocation(key);
    const parts = type.isUnion() ? type.types : [type];
    return parts.some(({ flags }) => (flags & (ts.TypeFlags.String | ts.TypeFlags.Any)) !== 0);
  }

  /** The same function calls `Object.hasOwn(table, key)`, or the keys come from the table itself. */
  function isOwn({ expression, argumentExpression }: ts.ElementAccessExpression): boolean {
    const [table, key] = [expression.getText(), argumentExpression.getText()];
    let scope: ts.Node = expression;
    while (scope.parent !== undefined && !ts.isFunctionLike(scope)) scope = scope.parent;
    const text = scope.getText();
    return text.includes(`Object.hasOwn(${table}, ${key})`) || text.includes(`Object.keys(${table})`);
  }
}

const config = ts.readConfigFile('tsconfig.json', (path) => readFileSync(path, 'utf8'));
const { fileNames } = ts.parseJsonConfigFileContent(config.config, ts.sys, '.');
const ours = fileNames.filter((name) => {
  const path = relative('.', name);
  return FOLDERS.some((folder) => path.startsWith(folder)) && !path.endsWith('.test.ts');
});

test('no foreign text is looked up in a plain object', { timeout: 120_000 }, () => {
  expect(ours.length).toBeGreaterThan(300);
  expect(lookupsByText(ours)).toEqual([]);
});

test('the rule finds such a look-up, and allows safe ones', { timeout: 120_000 }, () => {
  const code = `
    const table: Record<string, string> = { a: 'b' };
    const few = { a: 1, b: 2 };
    export const bad = (key: string) => table[key.toLowerCase()];
    export const any = (key: any) => few[key];
    export const own = (key: string) => (Object.hasOwn(table, key) ? table[key] : '');
    export const literal = (key: 'a' | 'b') => few[key];
    export const list = (index: number, all: string[]) => all[index];
  `;
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === 'lookup.ts' || fileExists.call(host, name);
  host.getSourceFile = (name, ...rest) =>
    name === 'lookup.ts'
      ? ts.createSourceFile(name, code, ts.ScriptTarget.ES2022, true)
      : getSourceFile.call(host, name, ...rest);
  expect(lookupsByText(['lookup.ts'], host)).toEqual([
    'lookup.ts:4 table[key.toLowerCase()]',
    'lookup.ts:5 few[key]',
  ]);
});
