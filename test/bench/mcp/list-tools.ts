import { createTestApi, untouchedStore } from '../../harness/api.js';
import { connectMcp } from '../../harness/mcp-client.js';
import type { ListedTool } from './judge.js';

/** The list of tools and the instructions as a client with a read_write key gets them from the server. */
export async function listTools(): Promise<{ tools: ListedTool[]; instructions: string }> {
  const { api, keys } = await createTestApi({ reader: untouchedStore });
  const client = await connectMcp({
    era: 'modern',
    key: keys.readWrite,
    ask: (request) => api.request(request),
  });
  const { tools } = await client.listTools();
  const instructions = client.getInstructions() ?? '';
  await client.close();
  return { tools, instructions };
}
