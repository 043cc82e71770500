import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export interface McpUser {
  readonly client: Client;
  /** Calls a tool. @returns what it says, its data, and whether it refused */
  use(name: string, args?: Record<string, unknown>): Promise<ToolSays>;
  close(): Promise<void>;
}

export interface ToolSays {
  readonly says: string;
  readonly isError: boolean;
  /** All that came, as one text. */
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of results of every tool.
  readonly data: any;
}

/** The official client over streamable HTTP, with the key and token of whoever uses it. */
export async function connectMcp(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
): Promise<McpUser> {
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', baseUrl), {
      requestInit: { headers: { ...headers } },
    }),
  );
  return userOf(client);
}

export function userOf(client: Client): McpUser {
  return {
    client,
    async use(name, args = {}) {
      const {
        content,
        structuredContent,
        isError = false,
      } = await client.callTool({ name, arguments: args });
      const texts = content.map((block) => (block.type === 'text' ? block.text : ''));
      return { says: texts[0] ?? '', isError, text: texts.join('\n'), data: structuredContent };
    },
    close: () => client.close(),
  };
}
