import { endpointJudge } from './endpoint-judge.js';
import { lexicalJudge } from './lexical-judge.js';
import { listTools } from './list-tools.js';
import { questions } from './questions/all-questions.js';
import { report } from './report.js';
import { share, verdictsOf } from './verdicts.js';

/** `npm run bench:mcp`: the lexical judge, or the endpoint of BENCH_MCP_URL (docs/mcp.md). */
const { BENCH_MCP_URL: url, BENCH_MCP_KEY: key, BENCH_MCP_MODEL: model } = process.env;
if (url !== undefined && model === undefined) throw new Error('BENCH_MCP_URL needs BENCH_MCP_MODEL too');

const { tools, instructions } = await listTools();
const judge =
  url === undefined || model === undefined
    ? lexicalJudge(tools)
    : endpointJudge(tools, { url, key, model, instructions });
const verdicts = await verdictsOf(judge, questions);
process.stdout.write(`${report(judge, tools, verdicts)}\n`);
process.exitCode = share(verdicts, 'tool') < judge.bar ? 1 : 0;
