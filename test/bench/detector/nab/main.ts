import { printNab } from './report.js';

/** `NAB_DIR=<copy of github.com/numenta/NAB> npx tsx test/bench/detector/nab/main.ts` */

const folder = process.env.NAB_DIR;
if (folder === undefined) throw new Error('NAB_DIR must name a copy of github.com/numenta/NAB');
printNab(folder);
