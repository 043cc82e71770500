import { decodeFunctionData } from 'viem';
import { addresses, walletModuleAbi } from '../../../../contracts/index.ts';
import type { Json, JsonObject } from '../../../lib/json/json.ts';
import type { Hex } from '../abi/words.ts';

/**
 * A call of the wallet module by name, in the form in which callers send contract calls.
 * @throws when the calldata is none
 */
export function describeModuleCall(data: Hex): JsonObject {
  const { functionName, args } = decodeFunctionData({ abi: walletModuleAbi, data });
  const entry = walletModuleAbi.find(
    (candidate) => candidate.type === 'function' && candidate.name === functionName,
  );
  return {
    address: addresses.walletModule,
    functionName,
    abi: [JSON.parse(JSON.stringify(entry)) as Json],
    args: JSON.parse(JSON.stringify(args ?? [], numbersAsText)) as Json,
    value: '0',
  };
}

function numbersAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' || typeof value === 'number' ? value.toString() : value;
}
