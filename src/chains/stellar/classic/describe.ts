import type { OperationRecord } from '@stellar/stellar-sdk/base';
import type { JsonObject } from '../../../lib/json.ts';
import type { SignedSubject } from '../../family.ts';
import type { StellarNetwork } from '../config/networks.ts';
import { readClassic } from './stored.ts';

/** As {@link ChainFamily.readSigned}, of classic operations. */
export function signedClassic(value: JsonObject): SignedSubject {
  const { chain, wallet, transaction } = readClassic(value);
  return { chain, walletAddress: wallet, message: transaction.toXdr() };
}

/** Longer ones say how many operations are left out. */
const descriptionLengthMax = 200;

/** As {@link ChainFamily.describeSigned}. */
export function describeClassic({ name, native, passphrase, tokens }: StellarNetwork, value: JsonObject): string {
  const { operations } = readClassic(value).transaction;
  const said: string[] = [];
  for (const [index, operation] of operations.entries()) {
    const text = describe(operation);
    if (index > 0 && [...said, text].join(', and ').length > descriptionLengthMax) {
      said.push(`make ${operations.length - index} more operations`);
      break;
    }
    said.push(text);
  }
  return `${said.join(', and ')} on ${name}`;

  function describe(operation: OperationRecord): string {
    if (operation.type !== 'payment') return `make a ${operation.type}`;
    const { asset, amount, destination } = operation;
    const contract = asset.isNative() ? undefined : asset.contractId(passphrase);
    const listed = contract === undefined ? native : tokens.find(({ address }) => address === contract);
    const unit = listed ? listed.symbol.toUpperCase() : `of the asset of ${contract}`;
    return `send ${amount.replace(/\.?0+$/, '')} ${unit} to ${destination}`;
  }
}
