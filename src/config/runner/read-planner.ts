import { Secret } from '../../lib/sealing/secret.ts';
import type { SettingReader } from '../read-setting.ts';
import type { SettingName } from '../settings.ts';

const providers = ['off', 'openai-compatible', 'anthropic'] as const;

/** The language model that a runner may ask where its own rules end. */
export interface PlannerConfig {
  readonly provider: Exclude<(typeof providers)[number], 'off'>;
  /** Where the API is, with its path and without a slash at the end: `http://ollama:11434/v1`. */
  readonly url: string;
  readonly model: string;
  /** Absent: the endpoint wants none. */
  readonly key?: Secret;
  /** Of one run, with all its browsers. */
  readonly callsMax: number;
  /** Of one call. */
  readonly timeoutMs: number;
}

const anthropicUrl = 'https://api.anthropic.com/v1';
const rest: readonly SettingName[] = ['RUNNER_PLANNER_URL', 'RUNNER_PLANNER_MODEL'];

/** Undefined without `RUNNER_PLANNER`: then no model is ever asked. */
export function readPlanner(reader: SettingReader): PlannerConfig | undefined {
  const provider = reader.oneOf('RUNNER_PLANNER', providers, 'off');
  const key = reader.secret('RUNNER_PLANNER_KEY');
  const callsMax = reader.integer('RUNNER_PLANNER_CALLS_MAX');
  const timeoutMs = reader.integer('RUNNER_PLANNER_TIMEOUT_SECONDS') * 1_000;
  if (provider === 'off') {
    const lost = [
      ...rest.filter((name) => reader.text(name) !== undefined),
      ...(key === undefined ? [] : ['RUNNER_PLANNER_KEY']),
    ];
    if (lost.length > 0 && reader.text('RUNNER_PLANNER') === undefined)
      reader.problems.push(
        `${lost.join(' and ')} is set and RUNNER_PLANNER is not: name the provider, or leave it out.`,
      );
    return undefined;
  }
  const url = readUrl(reader, provider);
  const model = reader.text('RUNNER_PLANNER_MODEL');
  if (model === undefined)
    reader.problems.push(
      'RUNNER_PLANNER_MODEL is not set: it names the model, as its endpoint knows it.',
    );
  // The header of a request takes nothing else: without this each question would fail as one that
  // cannot be sent.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    reader.problems.push(
      'RUNNER_PLANNER_KEY has a space, a line break or a character beyond ASCII in it: copy the key again.',
    );
  if (key === undefined && url === anthropicUrl)
    reader.problems.push(
      'RUNNER_PLANNER_KEY is not set: api.anthropic.com answers nobody without one.',
    );
  return {
    provider,
    url: url ?? '',
    model: model ?? '',
    ...(key !== undefined && { key: new Secret(key) }),
    callsMax,
    timeoutMs,
  };
}

function readUrl(reader: SettingReader, provider: PlannerConfig['provider']): string | undefined {
  const text = reader.text('RUNNER_PLANNER_URL');
  if (text === undefined) {
    if (provider === 'anthropic') return anthropicUrl;
    reader.problems.push(
      'RUNNER_PLANNER_URL is not set: it is where the model’s API is, as in http://ollama:11434/v1.',
    );
    return undefined;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== '' ||
    url.password !== ''
  ) {
    reader.problems.push(
      'RUNNER_PLANNER_URL is an http or https address without a query or credentials (a key goes into RUNNER_PLANNER_KEY), as in http://ollama:11434/v1.',
    );
    return undefined;
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
