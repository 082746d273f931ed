import { NOVEL } from '../../../../services/detector/gauges/gauge.js';
import { publishedDetectors, readCorpus, readFinalResults, readPublished, type Series } from './corpus.js';
import { countEvents, type Events, mostPrecise } from './events.js';
import { judgeSeries } from './judge.js';
import { type Profile, profiles, scoreCorpus } from './score.js';

/**
 * Numenta's benchmark of the detector's judge of gauges. The 58 series are split by their place in the list of names: what the judge is
 * made of, its threshold among it, was chosen on every other one from the first on; the rest is held out. Beside NAB's own figures, at the
 * threshold that is best afterwards, stand those at the judge's, of what a person would be told.
 */

/** Of the web-like series so many windows are to be found; the precision at that is what counts. */
const WANTED_RECALL = 0.8;

const profileNames = Object.keys(profiles) as Profile[];

type Chosen = (series: Series, place: number) => boolean;
const isDeveloped: Chosen = (_, place) => place % 2 === 0;

/**
 * What websites have: counts of requests, of clicks and of mentions, latencies, inbound traffic, traffic of cars and taxis.
 * Not: processors, disks, temperatures, keystrokes, artificial series.
 */
const webLike =
  /^real(?:Tweets|AdExchange|Traffic)\/|\/(?:nyc_taxi|elb_request_count|ec2_request_latency|ec2_network_in|iio_us-east-1)/;
const isWebLike: Chosen = ({ name }) => webLike.test(name);

interface Scored {
  readonly corpus: readonly Series[];
  readonly scores: readonly (readonly number[])[];
}

/** Prints how the judge fares, and beside it the published ones whose results the folder holds. */
export function printNab(folder: string): void {
  const corpus = readCorpus(folder);
  const points = corpus.reduce((sum, { values }) => sum + values.length, 0);
  console.log(`(b) Numenta Anomaly Benchmark: ${corpus.length} series, ${points} points`);
  printOwn({ corpus, scores: corpus.map(judgeSeries) });
  printPublished(folder, corpus);
}

function printOwn(own: Scored): void {
  const halves = [
    ['whole', own],
    ['  half developed on', part(own, isDeveloped)],
    ['  half held out', part(own, (series, place) => !isDeveloped(series, place))],
  ] as const;
  console.log("  the detector's judge of gauges (services/detector/gauges)");
  console.log(`  ${'all series'.padEnd(26)}standard  low FP  low FN  recall  precision`);
  for (const [label, scored] of halves) printRow(label, scored);
  console.log(`  ${`told (scores from ${NOVEL})`.padEnd(26)}standard  low FP  low FN  recall  precision`);
  for (const [label, scored] of halves) printRow(label, scored, NOVEL);
  console.log(`  ${'of web-like series'.padEnd(26)}standard  low FP  low FN  recall  precision`);
  for (const [label, scored] of halves) printRow(label, part(scored, isWebLike), NOVEL);
  console.log(
    `  ${'web-like series'.padEnd(26)}standard  recall  precision (the best at a recall of ${WANTED_RECALL})`,
  );
  for (const [label, scored] of halves) printWebLike(label, scored);
}

function part({ corpus, scores }: Scored, chosen: Chosen): Scored {
  return {
    corpus: corpus.filter(chosen),
    scores: scores.filter((_, place) => chosen(corpus[place]!, place)),
  };
}

function printRow(label: string, { corpus, scores }: Scored, threshold?: number): void {
  const outcomes = profileNames.map((name) => scoreCorpus(corpus, scores, profiles[name], threshold));
  const { recall, precision } = countEvents(corpus, scores, threshold ?? outcomes[0]!.threshold);
  const cells = [...outcomes.map(({ score }) => score.toFixed(1)), recall.toFixed(2), precision.toFixed(2)];
  console.log(`  ${label.padEnd(26)}${cells.map((cell) => cell.padStart(8)).join('')}`);
}

function printWebLike(label: string, all: Scored): void {
  const { corpus, scores } = part(all, isWebLike);
  const best: Events | undefined = mostPrecise(corpus, scores, WANTED_RECALL);
  const { score } = scoreCorpus(corpus, scores, profiles.standard);
  const cells = [
    score.toFixed(1),
    best?.recall.toFixed(2) ?? '-',
    best?.precision.toFixed(2) ?? 'recall not reached',
  ];
  console.log(`  ${label.padEnd(26)}${cells.map((cell) => cell.padStart(8)).join('')}`);
}

/** The scorer is right where its scores of published results are those that were published with them. */
function printPublished(folder: string, corpus: readonly Series[]): void {
  const final = readFinalResults(folder);
  for (const detector of publishedDetectors(folder)) {
    const published = { corpus, scores: readPublished(folder, detector, corpus) };
    printRow(detector, published);
    const stated = profileNames.map((name) => final[detector]?.[name]?.toFixed(1).padStart(8) ?? '       -');
    console.log(`  ${'  as published'.padEnd(26)}${stated.join('')}`);
    printWebLike('  web-like', published);
  }
}
