import { useEffect, useState } from 'preact/hooks';
import type { Answer } from '../../api/operations.js';
import { forgetAnswers, type ReadState, useRead } from '../../api/use-read.js';

/** How often the arrivals are read while a website has no line. */
const WAITING_MS = 2_000;

interface FirstRun {
  readonly setup: ReadState<Answer<'getSetup'>>;
  /** `waiting`: no line is stored yet; `arrived`: the first ones came while this page was open; `past`: long ago. */
  readonly phase: 'waiting' | 'arrived' | 'past';
}

/** Whether the website has lines, read again until it has. */
export function useFirstRun(website: string | null): FirstRun {
  const [phase, setPhase] = useState<FirstRun['phase']>('past');
  const setup = useRead(
    'getSetup',
    website,
    {},
    { when: website !== null, every: phase === 'waiting' ? WAITING_MS : null },
  );
  const answer = setup.answer?.website_id === website ? setup.answer : null;
  const hasLines = answer?.logs.ever_received ?? null;
  useEffect(() => {
    if (hasLines === false) setPhase('waiting');
    else if (hasLines === null) setPhase('past');
    else if (phase === 'waiting') {
      // Figures that were read before the first line came are empty.
      forgetAnswers('all');
      setPhase('arrived');
    }
  }, [hasLines, phase]);
  return { setup, phase: hasLines === false ? 'waiting' : phase };
}
