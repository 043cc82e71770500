import { xdr } from '@stellar/stellar-sdk/base';
import { describeError, fault, HostFault } from '../fault.ts';
import { compareValues } from '../values/compare.ts';
import { errorOf, tagOf, tags } from '../values/values.ts';
import { define, type HostTable, memoryOf, valuesIn } from './define.ts';

const diagnosticsMax = 200;
const topicsMax = 4;

export const contextFunctions: HostTable = [
  define(
    'x._',
    ['U32Val', 'U32Val', 'U32Val', 'U32Val'],
    'Void',
    (call, at, length, valuesAt, count) => {
      if (call.machine.diagnostics.length >= diagnosticsMax) return;
      const values = valuesIn(call, valuesAt, count).map((value) => JSON.stringify(value.toJson()));
      call.machine.diagnostics.push([memoryOf(call, at, length).toString(), ...values].join(' '));
    },
  ),
  define('x.0', ['Val', 'Val'], 'i64', (_, a, b) => BigInt(compareValues(a, b))),
  define('x.1', ['VecObject', 'Val'], 'Void', ({ machine }, topics, data) => {
    if (topics.length > topicsMax)
      throw fault('events', 'ExceededLimit', `an event has at most ${topicsMax} topics`);
    machine.emit('contract', topics, data);
  }),
  define('x.2', [], 'U32Val', ({ machine }) => machine.options.protocol),
  define('x.3', [], 'U32Val', ({ machine }) => machine.options.sequence),
  define('x.4', [], 'Val', ({ machine }) => xdr.ScVal.scvU64(machine.options.timestamp)),
  define('x.5', ['raw'], 'Void', (_, val) => {
    if (tagOf(val) !== tags.error)
      throw fault('value', 'UnexpectedType', 'a contract fails with an error');
    const error = errorOf(val);
    if (error.type !== 'sceContract')
      throw fault('context', 'InvalidAction', 'a contract fails with an error of its own');
    throw new HostFault(error, `the contract failed with ${describeError(error)}`);
  }),
  define('x.6', [], 'Bytes', ({ machine }) => machine.options.networkId),
  define('x.7', [], 'Val', ({ frame }) => xdr.ScVal.scvAddress(frame.contract)),
  define('x.8', [], 'U32Val', ({ machine }) => machine.storage.maxLiveUntil),
];
