import type { ToolName } from '../../../../services/api/mcp/tools/catalogue.js';

/** A question of a user, and the first call that answers it. No wording names a tool or a view. */
export interface Question {
  id: string;
  /** The same question by three people. */
  wordings: readonly [string, string, string];
  tool: ToolName;
  /** Tools that are a right first call too, such as reading how an operation is called before the call. */
  also?: readonly ToolName[];
  /** A part of the arguments; others may be given. */
  arguments?: Readonly<Record<string, string | boolean>>;
  /** Tools whose call does harm or misleads; changing tools are forbidden wherever they are not expected. */
  forbidden?: readonly ToolName[];
}
