import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The official client of the protocol, in one of its two eras. */
export type Era = 'legacy' | 'modern';
export const eras: readonly Era[] = ['legacy', 'modern'];

type Ask = (request: Request) => Response | Promise<Response>;

export interface ClientOptions {
  readonly era: Era;
  /** null: no key. */
  readonly key: string | null;
  /** Answers instead of the network. */
  readonly ask?: Ask;
  readonly url?: string;
  /** The person's answer to a question; absent: the client can't ask. */
  readonly answer?: () => { action: 'accept' | 'decline'; content?: Record<string, string> };
}

export async function connectMcp({
  era,
  key,
  ask,
  url = 'http://localhost/mcp',
  answer,
}: ClientOptions): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
      ...(answer !== undefined && { capabilities: { elicitation: { form: {} } } }),
    },
  );
  if (answer !== undefined) client.setRequestHandler('elicitation/create', async () => answer());
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    ...(key !== null && { requestInit: { headers: { Authorization: `Bearer ${key}` } } }),
    ...(ask !== undefined && { fetch: async (address, init) => ask(new Request(address, init)) }),
  });
  await client.connect(transport);
  return client;
}
