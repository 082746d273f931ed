import { Readable } from 'node:stream';
import type { AnswerTo, CommandName, Command as ControlCommand } from '../../shared/control/commands.js';
import type { FileStore } from '../../shared/files/file-store.js';
import { uploadCrawl } from '../admin/crawl-upload.js';
import { crawlOfShop } from './traffic/crawl-of-shop.js';
import type { DemoOptions } from './traffic/demo-traffic.js';

/**
 * Uploads a crawl of the shop, as `npm run admin -- crawl upload` does: no crawler finds a shop that does not exist.
 * @param post of the operator's commands. @throws what `post` and the store throw
 */
export async function putCrawl(
  post: (path: string, body: unknown) => Promise<unknown>,
  store: FileStore,
  demo: DemoOptions,
  websiteId: string,
): Promise<void> {
  const run = async <Name extends CommandName>(command: ControlCommand<Name>) =>
    ((await post('/commands', command)) as { answer: AnswerTo<Name> }).answer;
  const { pages, links } = crawlOfShop(demo);
  await uploadCrawl(
    { run, store },
    {
      ...{ websiteId, filename: `crawl-of-${demo.domain}.csv` },
      ...{ pages: () => bytesOf(pages), links: () => bytesOf(links) },
    },
  );
}

const LINES = 500;

function bytesOf(lines: Iterable<string>): Readable {
  return Readable.from(inPieces(lines), { objectMode: false });
}

/** A chunk a line would be a step a line on the way to the file. */
function* inPieces(lines: Iterable<string>): Generator<Buffer> {
  let piece: string[] = [];
  for (const line of lines) {
    piece.push(line);
    if (piece.length < LINES) continue;
    yield Buffer.from(piece.join(''));
    piece = [];
  }
  yield Buffer.from(piece.join(''));
}
