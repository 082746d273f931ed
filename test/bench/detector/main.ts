import { Command } from 'commander';
import { quantile } from '../statistics.js';
import { benchInjections, magnitudes } from './inject.js';
import { printNab } from './nab/report.js';
import { seededTypes } from './seeded-incidents.js';
import { benchWeeks, type WeeksResult } from './weeks.js';

/**
 * `npm run bench:detector`: what the detector finds and how often it cries wolf, on simulated websites. The seeds of the report are not
 * those that thresholds were chosen by (`--development`).
 */

const REPORT_SEED = 'report 2026-11-22 d';
const DEVELOPMENT_SEED = 'development';

const options = new Command('bench:detector')
  .option('--websites <n>', 'simulated websites, three judged weeks each', Number, 10)
  .option('--injected <n>', 'websites for the detection curve', Number, 5)
  .option('--development', 'the seeds that thresholds may be chosen by')
  .option('--seed <text>', 'other seeds')
  .option('--verbose', 'each false alarm, and each incident that was missed or told late')
  .parse()
  .opts<{ websites: number; injected: number; development?: true; seed?: string; verbose?: true }>();

const seed = options.seed ?? (options.development ? DEVELOPMENT_SEED : REPORT_SEED);
if (options.websites > 0) printWeeks(benchWeeks(seed, options.websites));
const nab = process.env.NAB_DIR;
if (nab === undefined) console.log('(b) left out: NAB_DIR names no copy of github.com/numenta/NAB');
else printNab(nab);
if (options.injected > 0) printCurve();

function printWeeks(result: WeeksResult): void {
  const { incidents, rightAlerts, falseAlerts, falseInHistory, weeks, quietWeeks } = result;
  const precision = rightAlerts / (rightAlerts + falseAlerts.length);
  console.log(`(a) ${weeks} simulated weeks, ${quietWeeks} of them without incidents; seed "${seed}"`);
  console.log('  rule                incidents  recall  delay: median  p90  within two periods');
  for (const type of seededTypes) {
    const own = incidents.filter(({ incident }) => incident.type === type);
    const delays = own.flatMap(({ delay }) => (delay === undefined ? [] : [delay]));
    const inTime = delays.filter((delay) => delay <= 2).length / Math.max(1, delays.length);
    const cells = [
      type.padEnd(18),
      `${own.length}`.padStart(11),
      (delays.length / own.length).toFixed(2).padStart(8),
      quantile(delays, 0.5).toFixed(1).padStart(14),
      quantile(delays, 0.9).toFixed(1).padStart(5),
      inTime.toFixed(2).padStart(19),
    ];
    console.log(`  ${cells.join('')}`);
  }
  const told = incidents.filter(({ alert }) => alert !== undefined).length;
  console.log(`  recall ${(told / incidents.length).toFixed(3)} of ${incidents.length} incidents`);
  console.log(
    `  precision ${precision.toFixed(3)}: ${rightAlerts} alerts right, ${falseAlerts.length} false`,
  );
  console.log(`  false alarms a website and week: ${(falseAlerts.length / weeks).toFixed(2)}`);
  const historyWeeks = (weeks / 3) * 2;
  console.log(
    `  in the ${historyWeeks} weeks of history before, from the first day on: ${(falseInHistory.length / historyWeeks).toFixed(2)} a website and week`,
  );
  if (!options.verbose) return;
  for (const { website, createdAt, type, subject, message } of [...falseInHistory, ...falseAlerts]) {
    const near = incidents.find(
      ({ incident }) => incident.start < createdAt && createdAt <= incident.end + 3 * 3_600_000,
    );
    console.log(
      `  false: ${new Date(createdAt).toISOString()} ${website} ${type} ${subject}: ${message} [${near?.incident.type ?? ''}]`,
    );
  }
  for (const { incident, alert, delay } of incidents) {
    if (delay !== undefined && delay <= 2) continue;
    const how = delay === undefined ? 'missed' : `late by ${delay.toFixed(1)} periods`;
    const [start, end] = [incident.start, incident.end].map((at) => new Date(at).toISOString());
    console.log(`  ${how}: ${incident.type} ${incident.subject} ${start} to ${end} ${alert?.message ?? ''}`);
  }
}

function printCurve(): void {
  console.log('(c) share of injected changes that were told while they lasted, by their strength');
  console.log(`  ${'times'.padEnd(8)}${magnitudes.map((times) => `${times}`.padStart(7)).join('')}`);
  for (const [name, shares] of benchInjections(seed, options.injected)) {
    console.log(`  ${name.padEnd(8)}${shares.map((share) => share.toFixed(2).padStart(7)).join('')}`);
  }
}
