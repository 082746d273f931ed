import { generateSite, type SiteOptions } from '../../harness/site/generate-site.js';
import { startSite } from '../../harness/site/start-site.js';

/** The generated site in a separate process, which ends with its parent. */

const { port } = await startSite(generateSite(JSON.parse(process.argv[2]!) as SiteOptions));
process.stdout.write(`${port}\n`);
process.stdin.on('end', () => process.exit()).resume();
