/** A refusal that the model reads. The message is our own text; `detail` may quote texts of logs and goes between the marks of a fence. */
export class ToolRefusal extends Error {
  readonly detail: string | null;
  readonly status: number | null;

  constructor(
    message: string,
    { detail = null, status = null }: { detail?: string | null; status?: number | null } = {},
  ) {
    super(message);
    this.detail = detail;
    this.status = status;
  }
}
