/** Null: ready; else the reason, which `/readyz` shows to anyone: a fixed text without addresses or website names. */
export type NotReady = string | null;

/** The body and status of `/readyz`. */
export function readyAnswer(reason: NotReady, about: object = {}): { status: 200 | 503; body: object } {
  if (reason === null) return { status: 200, body: { status: 'ready', ...about } };
  return { status: 503, body: { status: 'not ready', reason, ...about } };
}

export const STOPPING = 'the process is stopping';
export const STORE_AWAY = 'ClickHouse does not answer';

/** Progress of a start. */
export interface StartSteps {
  begin(step: string): void;
  done(): void;
  notReady(): NotReady;
}

export function createStartSteps(): StartSteps {
  let step: string | null = 'the configuration';
  return {
    begin(next) {
      step = next;
    },
    done() {
      step = null;
    },
    notReady: () => (step === null ? null : `starting: waits for ${step}`),
  };
}
