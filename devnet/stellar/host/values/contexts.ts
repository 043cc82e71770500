import { xdr } from '@stellar/stellar-sdk/base';
import { fault } from '../fault.ts';

/** A map whose keys are symbols, in their order. */
export function record(fields: Readonly<Record<string, xdr.ScVal>>): xdr.ScVal {
  const keys = Object.keys(fields).sort();
  return xdr.ScVal.scvMap(
    keys.map((key) => new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol(key), val: fields[key]! })),
  );
}

export const variant = (name: string, ...values: xdr.ScVal[]): xdr.ScVal =>
  xdr.ScVal.scvVec([xdr.ScVal.scvSymbol(name), ...values]);

/**
 * What `__check_auth` is told of the calls it authorises: the tree, from its root on, parents
 * first.
 */
export function contextsOf(root: xdr.SorobanAuthorizedInvocation): xdr.ScVal {
  return xdr.ScVal.scvVec(flatten(root));
}

function flatten({ function: fn, subInvocations }: xdr.SorobanAuthorizedInvocation): xdr.ScVal[] {
  return [contextOf(fn), ...subInvocations.flatMap(flatten)];
}

function contextOf(fn: xdr.SorobanAuthorizedFunction): xdr.ScVal {
  if (fn.type === 'sorobanAuthorizedFunctionTypeContractFn') {
    const { contractAddress, functionName, args } = fn.contractFn;
    return variant(
      'Contract',
      record({
        contract: xdr.ScVal.scvAddress(contractAddress),
        fn_name: xdr.ScVal.scvSymbol(functionName.toString()),
        args: xdr.ScVal.scvVec([...args]),
      }),
    );
  }
  const isOlder = fn.type === 'sorobanAuthorizedFunctionTypeCreateContractHostFn';
  const { contractIdPreimage, executable } = isOlder
    ? fn.createContractHostFn
    : fn.createContractV2HostFn;
  const args = isOlder ? [] : fn.createContractV2HostFn.constructorArgs;
  if (
    contractIdPreimage.type !== 'contractIdPreimageFromAddress' ||
    executable.type !== 'contractExecutableWasm'
  )
    throw fault('auth', 'InvalidInput', 'nobody authorises the contract of an asset');
  const fields = {
    executable: variant('Wasm', xdr.ScVal.scvBytes(executable.wasmHash.value)),
    salt: xdr.ScVal.scvBytes(contractIdPreimage.fromAddress.salt.value),
  };
  if (args.length === 0) return variant('CreateContractHostFn', record(fields));
  return variant(
    'CreateContractWithCtorHostFn',
    record({ ...fields, constructor_args: xdr.ScVal.scvVec([...args]) }),
  );
}

/**
 * What a contract allows in its own name below its next call.
 * @throws HostFault for another shape
 */
export function invocationOf(
  value: xdr.ScVal,
  invoker: xdr.ScAddress,
): xdr.SorobanAuthorizedInvocation {
  const [name, body] = value.type === 'scvVec' ? (value.vec ?? []) : [];
  if (name?.type !== 'scvSymbol' || !body) throw unexpected();
  if (name.sym.toString() === 'Contract') {
    const context = fieldOf(body, 'context');
    const contract = fieldOf(context, 'contract');
    const fn = fieldOf(context, 'fn_name');
    const args = fieldOf(context, 'args');
    const below = fieldOf(body, 'sub_invocations');
    if (
      contract.type !== 'scvAddress' ||
      fn.type !== 'scvSymbol' ||
      args.type !== 'scvVec' ||
      below.type !== 'scvVec'
    )
      throw unexpected();
    return new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
        new xdr.InvokeContractArgs({
          contractAddress: contract.address,
          functionName: fn.sym,
          args: args.vec ?? [],
        }),
      ),
      subInvocations: (below.vec ?? []).map((item) => invocationOf(item, invoker)),
    });
  }
  return new xdr.SorobanAuthorizedInvocation({
    function: creationOf(name.sym.toString(), body, invoker),
    subInvocations: [],
  });
}

function creationOf(
  name: string,
  body: xdr.ScVal,
  invoker: xdr.ScAddress,
): xdr.SorobanAuthorizedFunction {
  const salt = fieldOf(body, 'salt');
  const [kind, wasmHash] = vecOf(fieldOf(body, 'executable'));
  if (
    salt.type !== 'scvBytes' ||
    kind?.type !== 'scvSymbol' ||
    kind.sym.toString() !== 'Wasm' ||
    wasmHash?.type !== 'scvBytes'
  )
    throw unexpected();
  const contractIdPreimage = xdr.ContractIdPreimage.contractIdPreimageFromAddress(
    new xdr.ContractIdPreimageFromAddress({ address: invoker, salt: salt.bytes.value }),
  );
  const executable = xdr.ContractExecutable.contractExecutableWasm(wasmHash.bytes.value);
  if (name === 'CreateContractHostFn')
    return xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeCreateContractHostFn(
      new xdr.CreateContractArgs({ contractIdPreimage, executable }),
    );
  if (name !== 'CreateContractWithCtorHostFn') throw unexpected();
  const constructorArgs = vecOf(fieldOf(body, 'constructor_args'));
  return xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeCreateContractV2HostFn(
    new xdr.CreateContractArgsV2({
      contractIdPreimage,
      executable,
      constructorArgs: [...constructorArgs],
    }),
  );
}

function vecOf(value: xdr.ScVal): readonly xdr.ScVal[] {
  if (value.type !== 'scvVec') throw unexpected();
  return value.vec ?? [];
}

/** @throws HostFault for a value without the field */
export function fieldOf(value: xdr.ScVal, name: string): xdr.ScVal {
  const entries = value.type === 'scvMap' ? (value.map ?? []) : [];
  const found = entries.find(({ key }) => key.type === 'scvSymbol' && key.sym.toString() === name);
  if (!found) throw unexpected();
  return found.val;
}

const unexpected = () =>
  fault('value', 'UnexpectedType', 'a value of another shape than the host function takes');
