/** A tool as the server's answer to `tools/list` gives it. */
export interface ListedTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: { properties?: Record<string, unknown> | undefined };
}

export interface Choice {
  tool: string;
  arguments: Readonly<Record<string, unknown>>;
}

export interface Judge {
  name: string;
  /** Share of right tools, 0 to 1, below which the bench fails. */
  bar: number;
  /** The arguments that it chooses; all where it is not given. */
  judged?: readonly string[];
  /** The first call; null where the judge calls nothing. */
  choose(wording: string): Promise<Choice | null>;
}
