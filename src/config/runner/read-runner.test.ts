import { describe, expect, test } from 'vitest';
import type { Environment } from '../../context.ts';
import { createSettingReader } from '../read-setting.ts';
import { readRunnerConfig } from './read-runner.ts';

function read(variables: Record<string, string>, environment: Environment = 'development') {
  const reader = createSettingReader(variables);
  return { config: readRunnerConfig(reader, environment), problems: reader.problems };
}

describe('the settings of a runner', () => {
  test('are complete without any variable', () => {
    expect(read({}, 'production')).toEqual({
      config: {
        chromiumPath: undefined,
        runsMax: 4,
        memoryBytesMax: 1_024 * 1_048_576,
        allowedPrivateOrigins: [],
        blockedOrigins: [],
        paymentFrameOrigins: [],
      },
      problems: [],
    });
  });

  test('are lists with commas between', () => {
    const { config, problems } = read({
      CHROMIUM_PATH: '/opt/chrome',
      RUNNER_RUNS_MAX: '2',
      RUNNER_MEMORY_MAX_MIB: '512',
      RUNNER_ALLOWED_PRIVATE_ORIGINS: 'http://127.0.0.1:4001, http://localhost:4002',
      RUNNER_BLOCKED_ORIGINS: 'https://shop.example,*.closed.example',
      RUNNER_PAYMENT_FRAMES: 'https://js.stripe.com',
    });
    expect(problems).toEqual([]);
    expect(config).toEqual({
      chromiumPath: '/opt/chrome',
      runsMax: 2,
      memoryBytesMax: 512 * 1_048_576,
      allowedPrivateOrigins: ['http://127.0.0.1:4001', 'http://localhost:4002'],
      blockedOrigins: ['https://shop.example', '*.closed.example'],
      paymentFrameOrigins: ['https://js.stripe.com'],
      namesSettings: true,
    });
  });

  test.each<[Record<string, string>, Environment, string]>([
    [
      { RUNNER_ALLOWED_PRIVATE_ORIGINS: 'http://127.0.0.1:4001' },
      'production',
      'not in production',
    ],
    [
      { RUNNER_ALLOWED_PRIVATE_ORIGINS: 'http://169.254.169.254' },
      'development',
      'metadata service',
    ],
    [{ RUNNER_ALLOWED_PRIVATE_ORIGINS: '*.local' }, 'development', 'is a list of'],
    [{ RUNNER_ALLOWED_PRIVATE_ORIGINS: '127.0.0.1:4001' }, 'development', 'is a list of'],
    [{ RUNNER_BLOCKED_ORIGINS: 'shop.example' }, 'development', 'is a list of'],
    [{ RUNNER_BLOCKED_ORIGINS: 'https://shop.example/path' }, 'development', 'is a list of'],
    [{ RUNNER_PAYMENT_FRAMES: 'http://pay.example' }, 'production', 'public https origins only'],
    [{ RUNNER_PAYMENT_FRAMES: 'https://10.0.0.1' }, 'production', 'public https origins only'],
    [{ RUNNER_RUNS_MAX: '0' }, 'development', 'RUNNER_RUNS_MAX'],
    [{ RUNNER_MEMORY_MAX_MIB: '100' }, 'development', 'RUNNER_MEMORY_MAX_MIB'],
  ])('%j in %s is refused', (variables, environment, sentence) => {
    expect(read(variables, environment).problems).toEqual([expect.stringContaining(sentence)]);
  });
});
