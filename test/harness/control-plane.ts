import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import pino from 'pino';
import {
  type ControlPlane,
  type ControlPlaneOptions,
  openControlPlane,
} from '../../shared/control/control-plane.js';
import { type ControlLog, createControlLog } from './control-log.js';

export interface TestPlane {
  readonly control: ControlPlane;
  readonly log: ControlLog;
  /** The whole log as text. */
  logged(): string;
  readonly crashes: Error[];
}

/** Options that a test can override. */
type Wishes = Partial<Omit<ControlPlaneOptions, 'log' | 'logger' | 'onCrash'>> & {
  readonly log?: ControlLog;
};

/** A control plane on a log in memory. The clock `now` does not advance unless the caller changes it. */
export async function openTestPlane({
  log = createControlLog(),
  now = () => Date.parse('2026-11-21T12:00:00Z'),
  ...wishes
}: Wishes = {}): Promise<TestPlane> {
  const lines: string[] = [];
  const stream = new PassThrough();
  stream.on('data', (line) => lines.push(String(line)));
  const crashes: Error[] = [];
  const control = await openControlPlane({
    log,
    now,
    randomBytes,
    ...wishes,
    logger: pino({ level: 'trace' }, stream),
    onCrash: (error) => crashes.push(error),
  });
  return { control, log, logged: () => lines.join(''), crashes };
}

/** The answer of a command that must succeed. */
export function granted<Answer>(outcome: { answer: Answer } | { refusal: { detail: string } }): Answer {
  if ('refusal' in outcome) throw new Error(`refused: ${outcome.refusal.detail}`);
  return outcome.answer;
}
