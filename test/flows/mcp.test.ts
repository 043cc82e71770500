import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectMcp, type McpUser } from '../harness/mcp-client.ts';
import { type Stack, startStack } from '../harness/stack.ts';


let stack: Stack;
let agent: McpUser;
beforeAll(async () => {
  stack = await startStack();
  agent = await connectMcp(stack.api.baseUrl, { 'x-api-key': stack.api.serverKey });
});
afterAll(async () => {
  await agent?.close();
  await stack?.close();
});

describe('the tools over HTTP', () => {
  test('are listed to the official client', async () => {
    const { tools } = await agent.client.listTools();
      JSON.stringify(
        tools.map(({ name, inputSchema }) => [name, inputSchema]),
        null,
        1,
      ).slice(0, 6000),
    );
    expect(tools.length).toBeGreaterThan(10);
  });
});
