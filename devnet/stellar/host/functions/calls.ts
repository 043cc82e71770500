import { xdr } from '@stellar/stellar-sdk/base';
import { fault } from '../fault.ts';
import { asFault } from '../machine.ts';
import { type Call, define, type HostTable } from './define.ts';

function invoke(
  { machine }: Call,
  { address }: xdr.ScValAddress,
  fn: string,
  args: readonly xdr.ScVal[],
): xdr.ScVal {
  return machine.call(address, fn, args);
}

export const callFunctions: HostTable = [
  define('d._', ['AddressObject', 'Symbol', 'VecObject'], 'Val', invoke),
  define('d.0', ['AddressObject', 'Symbol', 'VecObject'], 'Val', (call, contract, fn, args) => {
    try {
      return invoke(call, contract, fn, args);
    } catch (error) {
      const ended = asFault(error);
      if (!ended.isRecoverable) throw ended;
      const isOwn = ended.error.type === 'sceContract';
      return xdr.ScVal.scvError(isOwn ? ended.error : fault('context', 'InvalidAction', '').error);
    }
  }),
];
