import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

/**
 * `table[text]` on a plain object also finds `constructor` and whatever else its prototype has: a value of another type, which
 * somebody's log line chose. Tables that are looked up by text are a `Map`, or are asked with `Object.hasOwn` first.
 */

/** All that runs: text from outside goes through most of it, and nobody has to tell which. */
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

/** Look-ups of a string that is no literal in an object that is neither an array nor asked for its own property. */
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

  /** Of type string as such: a union of literals can't be a name that nobody wrote. */
  function isText(key: ts.Expression): boolean {
    const type = checker.getTypeAtLocation(key);
    const parts = type.isUnion() ? type.types : [type];
    return parts.some(({ flags }) => (flags & (ts.TypeFlags.String | ts.TypeFlags.Any)) !== 0);
  }

  /** `Object.hasOwn(table, key)` stands in the same function, or the keys come from the table itself. */
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

test('no plain object is looked up by text from outside', { timeout: 120_000 }, () => {
  expect(ours.length).toBeGreaterThan(300);
  expect(lookupsByText(ours)).toEqual([]);
});

test('the rule sees such a look-up, and lets pass what is safe', { timeout: 120_000 }, () => {
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
