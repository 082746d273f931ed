import { generateSite } from '../../harness/site/generate-site.js';
import { startSite } from '../../harness/site/start-site.js';

/** The generated site in a process of its own, which ends with the one that started it. */

const { pages, links } = JSON.parse(process.argv[2]!) as { pages: number; links: number };
const { port } = await startSite(
  generateSite({ origin: 'https://shop.example', pages, linksPerPage: links }),
);
process.stdout.write(`${port}\n`);
process.stdin.on('end', () => process.exit()).resume();
