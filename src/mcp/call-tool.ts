import type { CallToolResult } from '@modelcontextprotocol/server';
import type { JsonObject } from '../lib/json/json.ts';
import { answerLengthMax, cleanData, cleanText } from './answer-text.ts';
import { keyOf, type Tool, type ToolCtx, ToolRefusal } from './tool.ts';

/** Runs one call of a tool. A refusal is a result that the model reads; anything else is thrown. */
export async function callTool(
  ctx: ToolCtx,
  tool: Tool,
  args: JsonObject,
): Promise<CallToolResult> {
  try {
    const { says, data } = await tool.run(ctx, args, keyOf(tool.name, args));
    const shown = cleanData(data) as Record<string, unknown>;
    const text = JSON.stringify(shown);
    if (text.length > answerLengthMax)
      throw new ToolRefusal(
        `The answer is too long for you (${text.length} characters). ${tool.kind === 'reads' ? 'Ask for less: fewer entries, or one of them.' : 'It was done: read it with the tool that reads one.'}`,
      );
    return {
      content: [
        { type: 'text', text: cleanText(says, 2_000) },
        { type: 'text', text },
      ],
      structuredContent: shown,
    };
  } catch (error) {
    if (!(error instanceof ToolRefusal)) throw error;
    return { content: [{ type: 'text', text: cleanText(error.message, 2_000) }], isError: true };
  }
}
