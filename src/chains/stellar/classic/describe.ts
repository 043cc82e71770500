import type { OperationRecord } from '@stellar/stellar-sdk/base';
import type { JsonObject } from '../../../lib/json/json.ts';
import { describeActions, type SaidAction } from '../../family/signing/describe-actions.ts';
import type { SignedSubject } from '../../family.ts';
import type { StellarNetwork } from '../config/networks.ts';
import { readClassic } from './stored.ts';

/** As {@link ChainFamily.readSigned}, of classic operations. */
export function signedClassic(value: JsonObject): SignedSubject {
  const { chain, wallet, transaction } = readClassic(value);
  return { chain, walletAddress: wallet, message: transaction.toXdr() };
}

/** As {@link ChainFamily.describeSigned}. */
export function describeClassic(
  { name, native, passphrase, tokens }: StellarNetwork,
  value: JsonObject,
): string {
  const actions = readClassic(value).transaction.operations.map(describe);
  return `${describeActions(actions, { joiner: ', and ', more: (count) => `make ${count} more operations` })} on ${name}`;

  function describe(operation: OperationRecord): SaidAction {
    // All of them move money, or what the account holds.
    if (operation.type !== 'payment') return { text: `make a ${operation.type}`, matters: true };
    const { asset, amount, destination } = operation;
    const contract = asset.isNative() ? undefined : asset.contractId(passphrase);
    const listed =
      contract === undefined ? native : tokens.find(({ address }) => address === contract);
    const unit = listed ? listed.symbol.toUpperCase() : `of the asset of ${contract}`;
    return {
      text: `send ${amount.replace(/\.?0+$/, '')} ${unit} to ${destination}`,
      matters: true,
    };
  }
}
