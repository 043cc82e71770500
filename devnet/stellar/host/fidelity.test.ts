import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Address,
  authorizeEntry,
  buildAuthorizationEntryPreimage,
  hash,
  Keypair,
  nativeToScVal,
  scValToNative,
  xdr,
} from '@stellar/stellar-sdk/base';
import { describe, expect, it } from 'vitest';
import { createLocalHost, type LocalHost } from './index.ts';

/**
 * Contracts that others compiled with the Rust SDK, unmodified: the folder
 * `soroban-test-wasms/wasm-workspace/opt` of github.com/stellar/rs-soroban-env (Apache-2.0),
 * fetched for the run and named by the variable. None of it is kept here.
 */
const folder = process.env.SOROBAN_TEST_WASMS;
const reason = folder ? 'the folder has no such file' : 'SOROBAN_TEST_WASMS names no folder';
const isThere = folder !== undefined && existsSync(join(folder, '22'));

const u32 = (value: number) => xdr.ScVal.scvU32(value);
const i32 = (value: number) => xdr.ScVal.scvI32(value);
const symbol = (text: string) => xdr.ScVal.scvSymbol(text);
const bytes = (value: Uint8Array) => xdr.ScVal.scvBytes(value);
const address = (text: string) => new Address(text).toScVal();
const read = (name: string) => new Uint8Array(readFileSync(join(folder!, name)));

function make(host: LocalHost, name: string, args: xdr.ScVal[] = []): string {
  return host.create({ wasmHash: host.upload(read(name)), args });
}

describe.skipIf(!isThere)(
  `contracts compiled by others (${isThere ? 'run' : `skipped: ${reason}`})`,
  () => {
    it('sums', () => {
      const host = createLocalHost();
      const add = make(host, '22/example_add_i32.wasm');
      expect(
        scValToNative(host.invoke({ contract: add, fn: 'add', args: [i32(3), i32(-4)] }).result),
      ).toBe(-1);
      expect(() =>
        host.invoke({ contract: add, fn: 'add', args: [i32(2 ** 31 - 1), i32(1)] }),
      ).toThrow('trapped');
      const alloc = make(host, '20/example_alloc.wasm');
      expect(
        scValToNative(host.invoke({ contract: alloc, fn: 'sum', args: [u32(100)] }).result),
      ).toBe(4_950);
      host.invoke({ contract: make(host, '20/example_complex.wasm'), fn: 'go' });
    });

    it('floating point is refused when it is uploaded', () => {
      expect(() => createLocalHost().upload(read('20/example_add_f32.wasm'))).toThrow(
        'floating point',
      );
    });

    it('storage of each kind, by the older and the newer compiler', () => {
      for (const name of ['20/example_contract_data.wasm', '26/example_contract_data.wasm']) {
        const host = createLocalHost();
        const contract = make(host, name);
        for (const kind of ['persistent', 'temporary', 'instance']) {
          host.invoke({
            contract,
            fn: `put_${kind}`,
            args: [symbol('key'), nativeToScVal(7n, { type: 'u64' })],
          });
          expect(
            scValToNative(
              host.invoke({ contract, fn: `get_${kind}`, args: [symbol('key')] }).result,
            ),
          ).toBe(7n);
          host.invoke({ contract, fn: `del_${kind}`, args: [symbol('key')] });
          expect(() =>
            host.invoke({ contract, fn: `get_${kind}`, args: [symbol('key')] }),
          ).toThrow();
        }
      }
    });

    it('deployers: without and with a constructor, whose calls they allow in their own name', () => {
      const host = createLocalHost();
      const deployer = make(host, '22/test_deployer_with_constructor.wasm');
      const auth = make(host, '20/auth_test_contract.wasm');
      const plain = bytes(host.upload(read('22/test_no_arg_constructor.wasm')));
      const constructed = bytes(host.upload(read('22/test_constructor.wasm')));
      for (const fn of ['deploy_no_constructor', 'deploy_no_constructor_args'])
        expect(host.invoke({ contract: deployer, fn, args: [plain] }).result.type).toBe(
          'scvAddress',
        );
      const made = host.invoke({
        contract: deployer,
        fn: 'deploy_with_contract_auth',
        args: [constructed, address(auth)],
      }).result;
      const data = {
        contract: Address.fromScVal(made).toString(),
        fn: 'get_data',
        args: [symbol('key')],
      };
      expect(scValToNative(host.invoke(data).result)).toBe(303);
      expect(() => make(host, '22/test_constructor_with_return_value.wasm')).toThrow(
        'gave back something',
      );
    });

    it('an account that checks one key: its signature, a stranger’s, the same again', async () => {
      const host = createLocalHost();
      const key = Keypair.random();
      const account = make(host, '20/example_simple_account.wasm');
      host.invoke({ contract: account, fn: 'init', args: [bytes(key.rawPublicKey())] });
      const target = make(host, '20/auth_test_contract.wasm');
      const call = { contract: target, fn: 'do_auth', args: [address(account), u32(1)] };
      const [entry] = host.simulate(call).auth;
      const expires = host.ledger.sequence + 10;
      const payload = hash(
        buildAuthorizationEntryPreimage(entry!, expires, host.networkPassphrase).toXdr(),
      );
      const signedBy = (signer: Keypair) =>
        withSignature(entry!, expires, bytes(signer.sign(payload)));
      expect(() => host.invoke({ ...call, auth: [signedBy(Keypair.random())] })).toThrow(
        'is refused',
      );
      host.invoke({ ...call, auth: [signedBy(key)] });
      expect(() => host.invoke({ ...call, auth: [signedBy(key)] })).toThrow('nonce was used');
    });

    it('an account that is told the contexts it authorises sees the same ones', () => {
      const host = createLocalHost();
      const account = make(host, '22/test_custom_account_context.wasm');
      const target = make(host, '20/auth_test_contract.wasm');
      const call = { contract: target, fn: 'do_auth', args: [address(account), u32(1)] };
      const [entry] = host.simulate(call).auth;
      const context = (fn: string) =>
        xdr.ScVal.scvVec([
          xdr.ScVal.scvVec([
            symbol('Contract'),
            nativeToScVal(
              { args: xdr.ScVal.scvVec(call.args), contract: address(target), fn_name: symbol(fn) },
              { type: { args: ['symbol'], contract: ['symbol'], fn_name: ['symbol'] } },
            ),
          ]),
        ]);
      const signed = (fn: string) => withSignature(entry!, host.ledger.sequence + 10, context(fn));
      expect(() => host.invoke({ ...call, auth: [signed('other')] })).toThrow('is refused');
      host.invoke({ ...call, auth: [signed('do_auth')] });
    });

    it('an account whose owner is another account: the owner’s entry is asked for its signature', async () => {
      const host = createLocalHost();
      const owner = Keypair.random();
      host.ledger.fund(owner.publicKey());
      const account = make(host, '20/test_delegated_account.wasm');
      host.invoke({ contract: account, fn: 'init', args: [address(owner.publicKey())] });
      const call = {
        contract: make(host, '20/auth_test_contract.wasm'),
        fn: 'do_auth',
        args: [address(account), u32(1)],
      };
      const [entry] = host.simulate(call).auth;
      const expires = host.ledger.sequence + 10;
      const mine = withSignature(entry!, expires, xdr.ScVal.scvVoid());
      const payload = hash(
        buildAuthorizationEntryPreimage(mine, expires, host.networkPassphrase).toXdr(),
      );
      const theirs = new xdr.SorobanAuthorizationEntry({
        credentials: addressV2(owner.publicKey(), expires, xdr.ScVal.scvVoid(), 5n),
        rootInvocation: new xdr.SorobanAuthorizedInvocation({
          function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
            new xdr.InvokeContractArgs({
              contractAddress: new Address(account).toScAddress(),
              functionName: '__check_auth',
              args: [bytes(payload)],
            }),
          ),
          subInvocations: [],
        }),
      });
      expect(() => host.invoke({ ...call, auth: [mine] })).toThrow('is refused');
      host.invoke({
        ...call,
        auth: [mine, await authorizeEntry(theirs, owner, expires, host.networkPassphrase)],
      });
    });

    it('hostile contracts end', () => {
      const host = createLocalHost({ instructionsMax: 50_000_000 });
      const contract = make(host, '20/example_hostile.wasm');
      for (const fn of hostileFunctions(read('20/example_hostile.wasm'))) {
        expect(() => host.invoke({ contract, fn }), fn).toThrow();
      }
    });
  },
);

/** Those without arguments. */
function hostileFunctions(wasm: Uint8Array): string[] {
  const module = new WebAssembly.Module(wasm);
  return WebAssembly.Module.exports(module)
    .filter(({ kind, name }) => kind === 'function' && name !== '_')
    .map(({ name }) => name);
}

function addressV2(
  who: string,
  expires: number,
  signature: xdr.ScVal,
  nonce: bigint,
): xdr.SorobanCredentials {
  return xdr.SorobanCredentials.sorobanCredentialsAddressV2(
    new xdr.SorobanAddressCredentials({
      address: new Address(who).toScAddress(),
      nonce,
      signatureExpirationLedger: expires,
      signature,
    }),
  );
}

function withSignature(
  entry: xdr.SorobanAuthorizationEntry,
  expires: number,
  signature: xdr.ScVal,
): xdr.SorobanAuthorizationEntry {
  const { credentials, rootInvocation } = entry;
  if (credentials.type !== 'sorobanCredentialsAddressV2')
    throw new Error('The host records entries that are bound to an address');
  const { address: who, nonce } = credentials.addressV2;
  return new xdr.SorobanAuthorizationEntry({
    rootInvocation,
    credentials: addressV2(Address.fromScAddress(who).toString(), expires, signature, nonce),
  });
}
