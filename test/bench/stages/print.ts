import { tableLines } from '../print/table.js';
import { figure } from '../statistics.js';
import { type StageCosts, stageNames } from './measure-stages.js';

/** A line for each stage, a column for each source. */
export function stageLines(bySource: Readonly<Record<string, StageCosts>>): string[] {
  const costs = Object.values(bySource);
  return tableLines([
    ['CPU by stage, offline, µs a line', ...Object.keys(bySource)],
    ...stageNames.map((stage) => [
      isWhole(stage) ? stage : `  ${stage}`,
      ...costs.map((each) => figure(each[stage])),
    ]),
    ['sum of both ways', ...costs.map((each) => figure(sumOfWholes(each)))],
  ]);
}

const isWhole = (stage: string) => stage.endsWith(', whole');

function sumOfWholes(costs: StageCosts): number {
  return stageNames.filter(isWhole).reduce((sum, stage) => sum + costs[stage], 0);
}
