import { BaseError, decodeErrorResult, type Hex, isHex, parseAbi } from 'viem';
import { batchExecutorAbi, delegatedAccountAbi, testTokenAbi, walletModuleAbi } from '../index.ts';

const knownErrors = [
  ...walletModuleAbi,
  ...batchExecutorAbi,
  ...delegatedAccountAbi,
  ...testTokenAbi,
  ...parseAbi(['error Unpleasant(uint256 value)']),
];

/** `Name(arguments)` of the custom error or `Error(text)` behind what a node answered. */
export function describeError(error: unknown): string {
  const data = revertDataOf(error);
  return data === undefined ? String(error) : describeRevert(data);
}

export function describeRevert(data: Hex): string {
  if (data === '0x') return 'empty';
  const { errorName, args } = decodeErrorResult({ abi: knownErrors, data });
  return `${errorName}(${((args ?? []) as readonly unknown[]).join(',')})`;
}

/** The bytes a call reverted with. */
export function revertDataOf(error: unknown): Hex | undefined {
  const cause =
    error instanceof BaseError
      ? error.walk((inner) => typeof (inner as { data?: unknown }).data === 'string')
      : undefined;
  const data = (cause as { data?: unknown } | undefined)?.data;
  return isHex(data) ? data : undefined;
}
