import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type EncodedBody, encodedBody, encodedBytes } from '../answer-cache/encoded-body.js';

/** The built console in memory, with the compressed forms that the build made. */
export interface ConsoleFiles {
  /** The page of every screen. */
  readonly page: EncodedBody;
  readonly files: readonly ConsoleFile[];
}

export interface ConsoleFile {
  /** `/assets/index-1a2b3c4d.js` */
  readonly path: string;
  readonly type: string;
  readonly body: EncodedBody;
}

/** The files of deploy/build/build-console.mjs. In a tree that is not built this folder has the sources. */
export const BUILT_CONSOLE = fileURLToPath(new URL('../console/', import.meta.url));

const PAGE = 'index.html';
/** Vite gives each of these files a name that changes with its content. */
const ASSETS = 'assets';
const MOST_FILES = 500;
const MOST_BYTES = 16 * 1024 ** 2;
const FILE_NAME = /^[\w./-]+$/;

const types: ReadonlyMap<string, string> = new Map([
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
  ['.txt', 'text/plain; charset=utf-8'],
]);

/**
 * @param folder of the built files.
 * @param base public address of the API: the page's links start at its path.
 * @returns null: there is no built console.
 * @throws Error where the folder has more than a console can have.
 */
export function readConsole(folder: string, base: string): ConsoleFiles | null {
  if (!existsSync(join(folder, PAGE)) || !existsSync(join(folder, ASSETS))) return null;
  const contents = readFolder(folder);
  const page = contents.get(PAGE)!.toString('utf8');
  return {
    page: encodedBody(page.replace('<base href="/">', () => `<base href="${basePath(base)}">`)),
    files: [...contents]
      .filter(([name]) => name !== PAGE && !isForm(name))
      .map(([name, plain]) => ({
        path: `/${name}`,
        type: types.get(extname(name)) ?? 'application/octet-stream',
        body: encodedBytes(plain, { br: contents.get(`${name}.br`), gzip: contents.get(`${name}.gz`) }),
      })),
  };
}

const isForm = (name: string) => name.endsWith('.br') || name.endsWith('.gz');

/** By path below the folder, with `/` between its parts. */
function readFolder(folder: string): Map<string, Buffer> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) =>
    entry.isFile(),
  );
  const contents = new Map<string, Buffer>();
  let bytes = 0;
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const name = relative(folder, file).replaceAll(sep, '/');
    if (!FILE_NAME.test(name)) throw new Error(`the console has a file that no build makes: ${file}`);
    const content = readFileSync(file);
    bytes += content.length;
    if (contents.size === MOST_FILES || bytes > MOST_BYTES)
      throw new Error(`the console in ${folder} has more than ${MOST_FILES} files or ${MOST_BYTES} bytes`);
    contents.set(name, content);
  }
  return contents;
}

/** With a slash at its end, as text of an HTML attribute. A URL has quotes and angle brackets only in percent-encoding. */
function basePath(base: string): string {
  return `${new URL(base).pathname.replace(/\/$/, '')}/`.replaceAll('&', '&amp;');
}
