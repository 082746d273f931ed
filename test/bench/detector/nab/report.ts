import { NOVEL } from '../../../../services/detector/gauges/gauge.js';
import { tableLines } from '../../print/table.js';
import { readCorpus, type Series } from './corpus.js';
import { countEvents, mostPrecise } from './events.js';
import { judgeSeries } from './judge.js';
import { type Profile, profiles, scoreCorpus } from './score.js';

/**
 * Runs Numenta's benchmark on the detector's gauges.
 *
 * The 58 series are split by their index in the list of names. The gauge's parameters were chosen on every other
 * one, starting with the first; the rest is for evaluation. NAB's own figures use the best
 * threshold in hindsight. Those at the gauge's own threshold are the reported events.
 */

/** Recall that the web-like series must reach; the precision at that recall counts. */
const WANTED_RECALL = 0.8;

/**
 * Series that websites have: counts of requests, of clicks and of mentions, latencies, inbound traffic,
 * traffic of cars and taxis. Not included: processors, disks, temperatures, keystrokes, artificial series.
 */
const webLike =
  /^real(?:Tweets|AdExchange|Traffic)\/|\/(?:nyc_taxi|elb_request_count|ec2_request_latency|ec2_network_in|iio_us-east-1)/;

interface Scored {
  readonly corpus: readonly Series[];
  readonly scores: readonly (readonly number[])[];
}
type Chosen = (series: Series, place: number) => boolean;

const halves: [label: string, chosen: Chosen][] = [
  ['whole', () => true],
  ['development half', (_, place) => place % 2 === 0],
  ['evaluation half', (_, place) => place % 2 === 1],
];

/** @param folder a copy of github.com/numenta/NAB */
export function nabLines(folder: string): string[] {
  const corpus = readCorpus(folder);
  const points = corpus.reduce((sum, { values }) => sum + values.length, 0);
  const all: Scored = { corpus, scores: corpus.map(judgeSeries) };
  return [
    `Numenta Anomaly Benchmark: ${corpus.length} series, ${points} points`,
    ...tableLines([
      ['', ...Object.keys(profiles), 'recall', 'precision'],
      ...halves.flatMap(([label, chosen]) => {
        const scored = part(all, chosen);
        const web = part(scored, ({ name }) => webLike.test(name));
        const best = mostPrecise(web.corpus, web.scores, WANTED_RECALL);
        return [
          [`${label}, best threshold`, ...cellsOf(scored)],
          [`${label}, reported (scores from ${NOVEL})`, ...cellsOf(scored, NOVEL)],
          [`${label}, reported of web-like series`, ...cellsOf(web, NOVEL)],
          [
            `${label}, most precise of web-like series`,
            ...[
              '',
              '',
              '',
              best?.recall.toFixed(2) ?? '',
              best?.precision.toFixed(2) ?? 'recall not reached',
            ],
          ],
        ];
      }),
    ]),
  ];
}

function part({ corpus, scores }: Scored, chosen: Chosen): Scored {
  return {
    corpus: corpus.filter(chosen),
    scores: scores.filter((_, place) => chosen(corpus[place]!, place)),
  };
}

function cellsOf({ corpus, scores }: Scored, threshold?: number): string[] {
  const outcomes = (Object.keys(profiles) as Profile[]).map((name) =>
    scoreCorpus(corpus, scores, profiles[name], threshold),
  );
  const { recall, precision } = countEvents(corpus, scores, threshold ?? outcomes[0]!.threshold);
  return [...outcomes.map(({ score }) => score.toFixed(1)), recall.toFixed(2), precision.toFixed(2)];
}
