import { ServiceError } from '../../../lib/errors.ts';
import { type AbiParam, encodeArguments, readAbiParams, signatureType } from './abi-values.ts';
import { keccakOfText } from './keccak.ts';
import type { Hex } from './words.ts';

/** A function of an ABI, checked. */
interface AbiFunctionEntry {
  readonly signature: string;
  readonly inputs: readonly AbiParam[];
}

export interface ContractCallInput {
  readonly functionName: string;
  readonly abi: readonly unknown[];
  readonly args: readonly unknown[];
  /** Where the call stands in the request, for messages: `params.calls[0]`. */
  readonly place: string;
}

/**
 * Calldata of a call by function name. Overloads are told apart by the number of arguments and by
 * which one they fit; a full signature as name (`transfer(address,uint256)`) picks one.
 * @throws transaction-invalid
 */
export function encodeContractCall({ functionName, abi, args, place }: ContractCallInput): Hex {
  const overloads = findFunctions(abi, functionName);
  if (overloads.length === 0)
    throw new ServiceError('transaction-invalid', {
      message: `${place}.functionName: the abi has no function "${functionName.slice(0, 100)}". Send the function's ABI entry in abi.`,
    });
  const fitting = overloads.filter(({ inputs }) => inputs.length === args.length);
  if (fitting.length === 0) {
    throw new ServiceError('transaction-invalid', {
      message: `${place}.args: there are ${args.length} arguments, but ${overloads.map(({ signature }) => signature.slice(0, 200)).join(' or ')} takes ${[...new Set(overloads.map(({ inputs }) => inputs.length))].join(' or ')}.`,
    });
  }
  return fitting.length === 1
    ? encodeWith(fitting[0]!, args, place)
    : encodeOverloaded(fitting, args, place);
}

function encodeOverloaded(
  candidates: readonly AbiFunctionEntry[],
  args: readonly unknown[],
  place: string,
): Hex {
  const encoded: Hex[] = [];
  let refusal: unknown;
  for (const candidate of candidates) {
    try {
      encoded.push(encodeWith(candidate, args, place));
    } catch (error) {
      refusal = error;
    }
  }
  if (encoded.length === 0) throw refusal;
  if (encoded.length > 1) {
    throw new ServiceError('transaction-invalid', {
      message: `${place}.functionName: the arguments fit several functions. Send one of these as functionName: ${candidates.map(({ signature }) => signature.slice(0, 200)).join(', ')}.`,
    });
  }
  return encoded[0]!;
}

function encodeWith(entry: AbiFunctionEntry, args: readonly unknown[], place: string): Hex {
  return `0x${selectorOf(entry.signature)}${encodeArguments(entry.inputs, args, `${place}.args`)}`;
}

function findFunctions(abi: readonly unknown[], functionName: string): AbiFunctionEntry[] {
  const isSignature = functionName.includes('(');
  const bareName = isSignature ? functionName.slice(0, functionName.indexOf('(')) : functionName;
  const found = new Map<string, AbiFunctionEntry>();
  for (const value of abi) {
    const { type, name, inputs } = (value ?? {}) as {
      type?: unknown;
      name?: unknown;
      inputs?: unknown;
    };
    if (type !== 'function' || name !== bareName) continue;
    const params = readAbiParams(inputs ?? []);
    if (!params) continue;
    const signature = `${bareName}(${params.map(signatureType).join(',')})`;
    if (!isSignature || signature === functionName.replaceAll(' ', ''))
      found.set(signature, { signature, inputs: params });
  }
  return [...found.values()];
}

const selectors = new Map<string, string>();
const selectorsMax = 5_000;
const cachedLengthMax = 500;

/** The first four bytes of the signature's hash, without `0x`. */
function selectorOf(signature: string): string {
  const known = selectors.get(signature);
  if (known !== undefined) return known;
  const selector = keccakOfText(signature).slice(0, 8);
  if (selectors.size < selectorsMax && signature.length <= cachedLengthMax)
    selectors.set(signature, selector);
  return selector;
}
