/** What ends the demo early: one line for the person at the terminal, and the process's exit code. */
export class DemoFailure extends Error {
  readonly exitCode: number;

  constructor(kind: keyof typeof exitCodes, message: string) {
    super(message);
    this.exitCode = exitCodes[kind];
  }
}

const exitCodes = {
  /** Options or the credentials file are wrong. */
  usage: 2,
  /** Nothing answers at the ingest address. */
  unreachable: 3,
  /** The key was refused. */
  refused: 4,
  /** Uploads failed, or lines were rejected. */
  incomplete: 5,
} as const;
