import { xdr } from '@stellar/stellar-sdk/base';
import { HostFault } from '../host/fault.ts';

/** Numbers of the errors of the network's own contracts. */
export const tokenErrors = {
  notSupported: 2,
  accountMissing: 6,
  negativeAmount: 8,
  allowance: 9,
  balance: 10,
  deauthorized: 11,
  overflow: 12,
  trustLineMissing: 13,
  reserve: 14,
};

export const refuse = (code: number, why: string): HostFault =>
  new HostFault(xdr.ScError.sceContract(code), why);
