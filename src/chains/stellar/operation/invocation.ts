import type { xdr } from '@stellar/stellar-sdk/base';
import type { ContractCall } from '../../../../contracts/stellar/index.ts';
import { invocationOf, invokeArgs } from '../../../../contracts/stellar/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { StellarNetwork } from '../config/networks.ts';
import type { Simulation } from '../rpc/schemas.ts';
import { readPlainTransfer } from './calls.ts';
import { invalid } from './contract-call.ts';
import { callOf, entryAddress } from './stored.ts';

/**
 * What a wallet allows with an operation: a tree of calls. A node tells it, so it is held against
 * what was asked for.
 */

export interface InvocationInput {
  readonly network: StellarNetwork;
  readonly wallet: string;
  readonly call: ContractCall;
  readonly others: readonly xdr.SorobanAuthorizationEntry[];
  readonly simulation: Simulation;
}

const callsMax = 32;

/**
 * The one tree that the wallet signs.
 * @throws transaction-invalid nothing is asked of the wallet, or something of others that did not
 *   sign; upstream-error a tree that is not of this call
 */
export function walletInvocation({
  network,
  wallet,
  call,
  others,
  simulation,
}: InvocationInput): xdr.SorobanAuthorizedInvocation {
  // What the wallet itself does needs nothing below it.
  if (call.contract === wallet) return invocationOf(call);
  const recorded = simulation.results?.[0]?.auth ?? [];
  const own = recorded.filter((entry) => entryAddress(entry) === wallet);
  requireOthers(recorded, { wallet, others });
  const [entry, ...more] = own;
  if (!entry)
    throw invalid(
      `Nothing of params.transaction needs the wallet ${wallet}: it would sign for nothing`,
    );
  if (more.length > 0)
    throw invalid(
      `params.transaction needs ${own.length} approvals of the wallet ${wallet}: split it, one is given at a time`,
    );
  const { rootInvocation: root } = entry;
  const isRoot =
    root.function.type === 'sorobanAuthorizedFunctionTypeContractFn' &&
    root.function.contractFn.toXdr('base64') === invokeArgs(call).toXdr('base64');
  // What stands at the root may be run by anybody who has the entry: nothing that only a node
  // named.
  if (!isRoot)
    throw invalid(
      'params.transaction does not ask the wallet itself, only something that it calls does: call that instead',
    );
  if (
    root.subInvocations.length > 0 &&
    readPlainTransfer(call) !== undefined &&
    isListed(network, call.contract)
  )
    throw new ServiceError('upstream-error', {
      message: `The node of "${network.name}" asks for more than the transfer needs: retry later.`,
    });
  if (allCalls(root).some(({ contract }) => contract === wallet))
    throw invalid(
      'params.transaction changes the wallet itself inside another call: register and remove signers with the signers routes',
    );
  if (callCount(root) > callsMax)
    throw invalid(`params.transaction makes more than ${callsMax} calls in the name of the wallet`);
  return root;
}

function isListed({ nativeContract, tokens }: StellarNetwork, contract: string): boolean {
  return contract === nativeContract || tokens.some(({ address }) => address === contract);
}

function callCount({ subInvocations }: xdr.SorobanAuthorizedInvocation): number {
  return subInvocations.reduce((sum, one) => sum + callCount(one), 1);
}

function requireOthers(
  recorded: readonly xdr.SorobanAuthorizationEntry[],
  { wallet, others }: Pick<InvocationInput, 'wallet' | 'others'>,
): void {
  const signed = others.map(entryAddress);
  const odd = recorded
    .map(entryAddress)
    .find((address) => address !== wallet && !signed.includes(address));
  const whose = recorded.some(
    (entry) => entry.credentials.type === 'sorobanCredentialsSourceAccount',
  )
    ? 'the source of its transaction'
    : odd;
  if (whose === undefined) return;
  throw invalid(
    `params.transaction needs the approval of ${whose} too: send a serialized-transaction with its signed entry`,
  );
}

/** Every call of a tree, the root first. Creations of contracts are left out. */
export function allCalls(invocation: xdr.SorobanAuthorizedInvocation): ContractCall[] {
  const own =
    invocation.function.type === 'sorobanAuthorizedFunctionTypeContractFn'
      ? [callOf(invocation)]
      : [];
  return [...own, ...invocation.subInvocations.flatMap(allCalls)];
}
