import { Address, xdr } from '@stellar/stellar-sdk/base';
import {
  addressValue,
  amountValue,
  keyValue,
  type Registration,
  registrationValues,
  type Setup,
  type SignerKey,
  setupValue,
} from './setup.ts';

/** Calls of the contracts, and of tokens. */

export interface ContractCall {
  readonly contract: string;
  readonly method: string;
  readonly args: readonly xdr.ScVal[];
}

/** @param generation what it is now: 0 for a key that never was a delegate's */
export function addSigner(
  wallet: string,
  generation: number,
  registration: Registration,
): ContractCall {
  const [key, ...rest] = registrationValues(registration);
  return {
    contract: wallet,
    method: 'add_signer',
    args: [key!, xdr.ScVal.scvU32(generation), ...rest],
  };
}

export function removeSigner(wallet: string, key: SignerKey): ContractCall {
  return { contract: wallet, method: 'remove_signer', args: [keyValue(key)] };
}

export function bumpEpoch(wallet: string): ContractCall {
  return { contract: wallet, method: 'bump_epoch', args: [] };
}

/** @param code the SHA-256 of a file that is on the chain */
export function upgrade(wallet: string, code: Uint8Array): ContractCall {
  return { contract: wallet, method: 'upgrade', args: [xdr.ScVal.scvBytes(code)] };
}

export function migrate(wallet: string): ContractCall {
  return { contract: wallet, method: 'migrate', args: [] };
}

export function transfer(
  token: string,
  { from, to, amount }: { from: string; to: string; amount: bigint },
): ContractCall {
  return {
    contract: token,
    method: 'transfer',
    args: [addressValue(from), addressValue(to), amountValue(amount)],
  };
}

export function deploy(factory: string, setup: Setup): ContractCall {
  return { contract: factory, method: 'deploy', args: [setupValue(setup)] };
}

/** Signers sign `call` alone: its entry holds inside this one too. */
export function deployAndCall(factory: string, setup: Setup, call: ContractCall): ContractCall {
  return deployAndCallEncoded(factory, setupValue(setup), call);
}

/** As {@link deployAndCall}, of a set-up that is encoded already. */
export function deployAndCallEncoded(
  factory: string,
  setup: xdr.ScVal,
  call: ContractCall,
): ContractCall {
  const { scvSymbol, scvVec } = xdr.ScVal;
  const args = [setup, addressValue(call.contract), scvSymbol(call.method), scvVec([...call.args])];
  return { contract: factory, method: 'deploy_and_call', args };
}

export function invokeArgs({ contract, method, args }: ContractCall): xdr.InvokeContractArgs {
  return new xdr.InvokeContractArgs({
    contractAddress: new Address(contract).toScAddress(),
    functionName: method,
    args: [...args],
  });
}

/** @param within the calls of the same wallet that it makes, and that have to be signed too */
export function invocationOf(
  call: ContractCall,
  within: readonly xdr.SorobanAuthorizedInvocation[] = [],
): xdr.SorobanAuthorizedInvocation {
  return new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
      invokeArgs(call),
    ),
    subInvocations: [...within],
  });
}
