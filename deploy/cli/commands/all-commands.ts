import type { AddCommand } from '../cli.js';
import { addApi } from './api.js';
import { addCompletion } from './completion.js';
import { addDemo } from './demo.js';
import { addDoctor } from './doctor.js';
import { addImport } from './import.js';
import { addLogin } from './login.js';
import { addMcp } from './mcp.js';
import { addOperations } from './operations.js';
import { addSchema } from './schema.js';
import { addSend } from './send.js';
import { addTail } from './tail.js';
import { addTasks } from './tasks.js';
import { addTop } from './top.js';
import { addWatch } from './watch.js';

/** All commands, in the order of the help. */
export const allCommands: readonly AddCommand[] = [
  addLogin,
  addTasks,
  addTail,
  addTop,
  addWatch,
  addSend,
  addImport,
  addDemo,
  addApi,
  addMcp,
  addSchema,
  addCompletion,
  addDoctor,
  addOperations,
];
