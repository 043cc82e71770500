import { expect, it } from 'vitest';
import type { Environment } from '../../context.ts';
import { createSettingReader } from '../read-setting.ts';
import { readEvmConfig } from './read-evm.ts';

function readAs(environment: Environment, variables: Record<string, string> = {}) {
  const reader = createSettingReader(variables, 'worker');
  const { depositAloneMaxUsd } = readEvmConfig(reader, { environment, process: 'worker' });
  return { depositAloneMaxUsd, problems: reader.problems };
}

const setting = 'EVM_DEPOSIT_ALONE_MAX_USD';

it('production believes one node alone up to 1000 USD where nothing is said; elsewhere there is no limit', () => {
  expect(readAs('production')).toEqual({ depositAloneMaxUsd: '1000', problems: [] });
  for (const environment of ['staging', 'development'] as const)
    expect(readAs(environment)).toEqual({ depositAloneMaxUsd: undefined, problems: [] });
});

it('what one node is believed can be set, and is an amount of dollars', () => {
  for (const environment of ['staging', 'production'] as const)
    expect(readAs(environment, { [setting]: '250.50' })).toEqual({
      depositAloneMaxUsd: '250.50',
      problems: [],
    });
  for (const wrong of ['-1', '1e3', '1.234', 'none'])
    expect([wrong, readAs('production', { [setting]: wrong }).problems]).toEqual([
      wrong,
      [`${setting} is a number of US dollars, e.g. 1000.`],
    ]);
});
