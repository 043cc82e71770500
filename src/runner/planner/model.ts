import type { LanguageModel } from 'ai';
import type { PlannerConfig } from '../../config/runner/read-planner.ts';
import { deadlineSignal, isLate } from '../../lib/waiting/deadline.ts';
import { type Action, answerSchema } from './actions.ts';
import { AnswerTooLongError, createBoundedFetch } from './bounded-fetch.ts';

/**
 * Why there is no answer. Says nothing of what the endpoint has written: that is a stranger's text.
 */
export type ModelFault =
  | 'timeout'
  | 'unreachable'
  | 'refused by the endpoint'
  | 'error of the endpoint'
  | 'too long'
  | 'no valid answer';
export type ModelAnswer = { readonly actions: readonly Action[] } | { readonly fault: ModelFault };

export interface PlannerModel {
  /**
   * One question, one answer; never throws. It is given up when `signal` is aborted, or after the
   * configured time.
   */
  ask(input: {
    readonly system: string;
    readonly user: string;
    readonly signal: AbortSignal;
  }): Promise<ModelAnswer>;
}

const outputTokensMax = 2_000;

/**
 * A model behind an endpoint. Its package is loaded with the first question: runners without a
 * planner never load it.
 */
export function createModel(config: PlannerConfig): PlannerModel {
  let opened: ReturnType<typeof openModel> | undefined;
  return {
    async ask({ system, user, signal }) {
      const abortSignal = deadlineSignal(config.timeoutMs, signal);
      try {
        opened ??= openModel(config);
        const { generateText, Output, model } = await opened;
        const { output } = await generateText({
          model,
          system,
          prompt: user,
          output: Output.object({ schema: answerSchema, name: 'answer' }),
          temperature: 0,
          maxOutputTokens: outputTokensMax,
          maxRetries: 0,
          abortSignal,
          providerOptions: {
            openaiCompatible: { strictJsonSchema: false },
            anthropic: { structuredOutputMode: 'jsonTool' },
          },
        });
        return { actions: output.actions };
      } catch (error) {
        return { fault: isLate(abortSignal) ? 'timeout' : faultOf(error) };
      }
    },
  };
}

async function openModel(config: PlannerConfig) {
  const { generateText, Output } = await import('ai');
  // Its warnings would go to the console, past the log.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  return { generateText, Output, model: await connect(config) };
}

async function connect({ provider, url, model, key }: PlannerConfig): Promise<LanguageModel> {
  const settings = { baseURL: url, fetch: createBoundedFetch(new URL(url).origin) };
  if (provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    // Without one the package would look for a key in the environment.
    return createAnthropic({ ...settings, apiKey: key?.reveal() ?? 'none' })(model);
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({
    ...settings,
    name: 'planner',
    supportsStructuredOutputs: true,
    ...(key && { apiKey: key.reveal() }),
  })(model);
}

function faultOf(error: unknown): ModelFault {
  for (
    let at: unknown = error, depth = 0;
    at instanceof Error && depth < 5;
    at = at.cause, depth += 1
  ) {
    if (at instanceof AnswerTooLongError) return 'too long';
    const status = 'statusCode' in at ? at.statusCode : undefined;
    if (typeof status === 'number' && status >= 400)
      return status < 500 ? 'refused by the endpoint' : 'error of the endpoint';
    if (at.name === 'AI_APICallError' && status === undefined)
      return isTooLong(at) ? 'too long' : 'unreachable';
  }
  return 'no valid answer';
}

const isTooLong = (error: Error): boolean => error.cause instanceof AnswerTooLongError;
