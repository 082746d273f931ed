import { readFileSync } from 'node:fs';
import { once } from '../../../../shared/once.js';

/** The page that draws the rows of an answer in the client (MCP Apps). */
export const readChartPage = once(() => readFileSync(new URL('chart.html', import.meta.url), 'utf8'));
