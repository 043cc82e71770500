import { xdr } from '@stellar/stellar-sdk/base';

/** What Soroban and its tools read about a contract: sections at the end of its file. */

const { ScSpecTypeDef: type } = xdr;
const [bytes, u32, u64, address, symbol, value] = [
  type.scSpecTypeBytes(),
  type.scSpecTypeU32(),
  type.scSpecTypeU64(),
  type.scSpecTypeAddress(),
  type.scSpecTypeSymbol(),
  type.scSpecTypeVal(),
];
const values = type.scSpecTypeVec(new xdr.ScSpecTypeVec({ elementType: value }));

/** The first with all host functions that are used. */
const protocolVersion = 23;

interface FunctionSpec {
  readonly doc: string;
  readonly inputs: Readonly<Record<string, xdr.ScSpecTypeDef>>;
  readonly output?: xdr.ScSpecTypeDef;
}

const functions: Readonly<Record<'wallet' | 'factory', Readonly<Record<string, FunctionSpec>>>> = {
  wallet: {
    add_signer: {
      doc: 'Registers a delegate, or anew, where its generation is the one that is named.',
      inputs: { key: bytes, generation: u32, expires_at: u64, scopes: values },
      output: u32,
    },
    remove_signer: { doc: 'Ends a delegate.', inputs: { key: bytes }, output: u32 },
    bump_epoch: { doc: 'Ends what was signed so far, and all delegates.', inputs: {}, output: u32 },
    upgrade: { doc: 'Replaces the code and locks the wallet.', inputs: { code: bytes } },
    migrate: { doc: 'Unlocks the wallet after an upgrade.', inputs: {} },
  },
  factory: {
    address_of: {
      doc: 'The address of the wallet with this set-up.',
      inputs: { setup: values },
      output: address,
    },
    deploy: {
      doc: 'Creates that wallet if there is none.',
      inputs: { setup: values },
      output: address,
    },
    deploy_and_call: {
      doc: 'The same, then calls a contract.',
      inputs: { setup: values, contract: address, name: symbol, args: values },
      output: value,
    },
  },
};

export function metaSections(name: 'wallet' | 'factory'): Uint8Array[] {
  const spec = Object.entries(functions[name]).map(([method, { doc, inputs, output }]) =>
    xdr.ScSpecEntry.scSpecEntryFunctionV0(
      new xdr.ScSpecFunctionV0({
        doc,
        name: method,
        inputs: Object.entries(inputs).map(
          ([input, type]) => new xdr.ScSpecFunctionInputV0({ doc: '', name: input, type }),
        ),
        outputs: output === undefined ? [] : [output],
      }),
    ).toXDR(),
  );
  return [customSection('contractspecv0', Buffer.concat(spec)), versionSection()];
}

/** Without it no contract is one. */
export function versionSection(): Uint8Array {
  const version = new Uint8Array(12);
  new DataView(version.buffer).setUint32(4, protocolVersion);
  return customSection('contractenvmetav0', version);
}

function customSection(name: string, content: Uint8Array): Uint8Array {
  const named = Buffer.concat([leb128(name.length), Buffer.from(name), content]);
  return Buffer.concat([Buffer.from([0]), leb128(named.length), named]);
}

function leb128(value: number): Uint8Array {
  const rest = value >>> 7;
  return rest === 0
    ? Buffer.from([value])
    : Buffer.concat([Buffer.from([(value & 127) | 128]), leb128(rest)]);
}
