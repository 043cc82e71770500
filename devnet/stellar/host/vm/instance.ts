import { xdr } from '@stellar/stellar-sdk/base';
import { fault, HostFault } from '../fault.ts';
import { hostFunctions } from '../functions/index.ts';
import type { Machine } from '../machine.ts';
import { errorOf, tagOf, tags } from '../values/values.ts';
import type { Frame } from './frame.ts';
import { type ContractModule, fuelExport } from './wasm.ts';

export type { ContractModule } from './wasm.ts';

const callCost = 500;

/**
 * Runs the function of a contract that a call is of.
 * @throws HostFault what it failed with, WebAssembly.RuntimeError for a trap
 */
export function runWasm(
  machine: Machine,
  frame: Frame,
  { module }: ContractModule,
  missingIsNothing: boolean,
): xdr.ScVal {
  const { budget } = machine;
  let fuel: WebAssembly.Global | undefined;
  const bind =
    (name: string, serve: (...values: bigint[]) => bigint) =>
    (...values: bigint[]) => {
      if (!fuel) throw fault('wasmVm', 'InvalidAction', `${name} before the contract runs`);
      budget.left = fuel.value;
      try {
        budget.charge(callCost);
        return serve(...values);
      } finally {
        fuel.value = Math.max(budget.left, -1);
      }
    };
  const instance = new WebAssembly.Instance(
    module,
    importsOf(machine, frame, module, bind) as ConstructorParameters<
      typeof WebAssembly.Instance
    >[1],
  );
  const { memory } = instance.exports;
  frame.memory = memory as WebAssembly.Memory | undefined;
  const run = instance.exports[frame.fn];
  if (typeof run !== 'function') {
    if (missingIsNothing) return xdr.ScVal.scvVoid();
    throw fault('wasmVm', 'MissingValue', `the contract has no function ${frame.fn}`);
  }
  if (run.length !== frame.args.length)
    throw fault(
      'wasmVm',
      'UnexpectedSize',
      `${frame.fn} takes ${run.length} values, not ${frame.args.length}`,
    );
  fuel = instance.exports[fuelExport] as WebAssembly.Global;
  fuel.value = budget.left;
  const args = frame.args.map((value) => frame.toVal(value));
  let result: unknown;
  try {
    result = run(...args);
  } catch (error) {
    budget.left = fuel.value;
    if (error instanceof WebAssembly.RuntimeError) budget.check();
    throw error;
  }
  budget.left = fuel.value;
  if (typeof result !== 'bigint')
    throw fault('wasmVm', 'UnexpectedType', `${frame.fn} gives back no value`);
  const val = BigInt.asUintN(64, result);
  if (tagOf(val) === tags.error)
    throw new HostFault(errorOf(val), `${frame.fn} ended with an error`);
  return frame.toScVal(val);
}

type Bind = (
  name: string,
  serve: (...values: bigint[]) => bigint,
) => (...values: bigint[]) => bigint;

function importsOf(
  machine: Machine,
  frame: Frame,
  module: WebAssembly.Module,
  bind: Bind,
): Record<string, Record<string, unknown>> {
  const imports: Record<string, Record<string, unknown>> = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    const title = `${from}.${name}`;
    const known = hostFunctions.get(title);
    imports[from] ??= {};
    imports[from][name] = bind(
      title,
      known
        ? (...values) =>
            known(
              machine,
              frame,
              values.map((value) => BigInt.asUintN(64, value)),
            )
        : () => {
            throw fault(
              'context',
              'InternalError',
              `the host function ${title} is not served by the local chain`,
            );
          },
    );
  }
  return imports;
}
