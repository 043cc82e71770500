import {
  Account,
  Address,
  authorizeEntry,
  Keypair,
  Memo,
  Operation,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressValue, amountValue, transfer } from '../../../../contracts/stellar/index.ts';
import { compileContract as compileTestContract } from '../../../../contracts/stellar/testing/world.ts';
import { compileContract } from '../../../../devnet/stellar/testing/compile.ts';
import type { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { Delegate, FamilyWallet } from '../../family.ts';
import { invokeOperation, record } from '../operation/simulate.ts';
import { messageOf, readOperation, storeOperation } from '../operation/stored.ts';
import { ed25519Signer, p256Signer, quorumOf } from '../testing/smart.ts';
import { openWorld, type World } from '../testing/world.ts';
import { readStellarControl } from '../wallet/control.ts';
import { prepareStellarEnd, prepareStellarSignerChange } from '../wallet/delegates.ts';
import {
  checkStellarApproval,
  completeEntry,
  custodyApproval,
  custodyDigest,
} from './approvals.ts';
import { describeStellarSigned } from './describe-signed.ts';

let world: World;
const owner = ed25519Signer();

beforeAll(async () => {
  world = await openWorld();
  await world.start();
});
afterAll(() => world?.close());

async function refusal(run: Promise<unknown>): Promise<ServiceError> {
  return run.then(
    () => Promise.reject(new Error('It was accepted.')),
    (error: ServiceError) => error,
  );
}

const describeIt = (operation: JsonObject) => describeStellarSigned(world.network, operation);

describe('what is signed on Stellar', () => {
  it('is read anew from the bytes that the payload is the hash of, and refused when they are of something else', async () => {
    const wallet = await world.aWallet({ adminSigner: owner.signer }, { tokens: 10n });
    const other = await world.aWallet({ adminSigner: owner.signer }, { tokens: 10n });
    const to = world.freshAddress();
    const { operation, message } = await world.prepareTransfer(wallet, owner, { amount: 5n, to });
    const stored = readOperation(operation);
    expect([stored.wallet, messageOf(stored.authorization)]).toEqual([wallet.address, message]);
    expect(Buffer.from(custodyDigest(operation)).toString('base64')).toBe(message);
    expect(describeIt(operation)).toBe(`send 0.0000005 USDXM to ${to} on stellar`);
    const foreign = (await world.prepareTransfer(other, owner, { amount: 5n, to })).operation;
    for (const change of [
      { wallet: other.address },
      { preimage: foreign['preimage']! },
      { passphrase: 'Another Network' },
      { form: 'unbound' },
      { preimage: Buffer.from('nonsense').toString('base64') },
    ])
      expect(() => readOperation({ ...operation, ...change }), JSON.stringify(change)).toThrow();
  });

  it('is approved by the keys of the acting signer, each in its own way, and by nothing else', async () => {
    const members = [ed25519Signer('server'), p256Signer('passkey')] as const;
    const quorum = quorumOf(1, members);
    const wallet = await world.aWallet({ adminSigner: quorum }, { tokens: 10n });
    const input = { amount: 1n, to: world.freshAddress() };
    const prepared = await world.prepareTransfer(wallet, { signer: quorum }, input);
    const check = (approval: ReturnType<(typeof members)[0]['approve']>) =>
      checkStellarApproval(prepared.operation, approval);
    for (const member of members) expect(check(member.approve(prepared))).toBe(true);
    const [server, passkey] = [members[0].approve(prepared), members[1].approve(prepared)];
    const later = await world.prepareTransfer(wallet, { signer: quorum }, input);
    const wrong = [
      owner.approve(prepared),
      members[0].approve(later),
      members[1].approve(later),
      { ...server, signature: `${String(server.signature).slice(0, -2)}AA` },
      { ...server, signature: Buffer.from('short').toString('base64') },
      { ...server, signature: { r: '0x1', s: '0x1' } },
      { ...server, signer: owner.signer },
      { ...passkey, metadata: { ...passkey.metadata, clientDataJSON: '{}' } },
      { signer: passkey.signer, signature: passkey.signature },
      { ...server, signer: quorum },
    ];
    expect(wrong.map(check)).toEqual(wrong.map(() => false));
    expect(() => completeEntry(readOperation(prepared.operation), [])).toThrow('0 approvals of 1');
    expect(() =>
      completeEntry(readOperation(prepared.operation), [owner.approve(prepared)]),
    ).toThrow('is none of this operation');
  });

  it('is told as what it lets others take, destroys, or creates in the name of the wallet', async () => {
    const wallet = await world.aWallet({ adminSigner: owner.signer }, { tokens: 10n });
    const [friend, contractId] = [world.freshAddress(), world.chain.token];
    const call = async (method: string, args: JsonObject) =>
      (
        await world.prepare(
          wallet,
          { transaction: { type: 'contract-call', contractId, method, args } },
          owner,
        )
      ).operation;
    const allowed = await call('approve', {
      from: wallet.address,
      spender: friend,
      amount: '5',
      expiration_ledger: 1_000,
    });
    expect(describeIt(allowed)).toBe(`allow ${friend} to take 0.0000005 USDXM on stellar`);
    const destroyed = await call('burn', { from: wallet.address, amount: '5' });
    expect(describeIt(destroyed)).toBe('destroy 0.0000005 USDXM on stellar');
    const read = readOperation(destroyed);
    const created = xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeCreateContractHostFn(
      new xdr.CreateContractArgs({
        contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAddress(
          new xdr.ContractIdPreimageFromAddress({
            address: new Address(wallet.address).toScAddress(),
            salt: new Uint8Array(32),
          }),
        ),
        executable: xdr.ContractExecutable.contractExecutableWasm(new Uint8Array(32)),
      }),
    );
    const below = new xdr.SorobanAuthorizedInvocation({ function: created, subInvocations: [] });
    const { function: root } = read.authorization.invocation;
    const authorization = {
      ...read.authorization,
      invocation: new xdr.SorobanAuthorizedInvocation({ function: root, subInvocations: [below] }),
    };
    const stored = storeOperation({ ...read, authorization });
    expect(describeIt(stored)).toBe(
      'destroy 0.0000005 USDXM, and create a contract in the name of the wallet on stellar',
    );
  });

  it('is signed by a key of the service in the same way', async () => {
    const wallet = await world.aWallet({ adminSigner: owner.signer }, { tokens: 10n });
    const { operation } = await world.prepareTransfer(wallet, owner, {
      amount: 1n,
      to: world.freshAddress(),
    });
    const { signature } = owner.key.sign(custodyDigest(operation));
    expect(checkStellarApproval(operation, custodyApproval(owner.signer, signature))).toBe(true);
  });
});

describe('the upgrade of a wallet on Stellar', { tags: 'slow' }, () => {
  const prepare = (wallet: FamilyWallet, type: string) =>
    world.prepare(wallet, { transaction: { type } }, owner);

  it('locks it until it is migrated, and everything else is wallet-locked', async () => {
    const wallet = await world.aWallet({ adminSigner: owner.signer }, { tokens: 10n });
    const pay = () =>
      world.prepareTransfer(wallet, owner, { amount: 1n, to: world.freshAddress() });
    expect(await world.run(wallet, await pay(), [owner])).toMatchObject({ status: 'success' });
    expect(await refusal(prepare(wallet, 'upgrade-wallet'))).toMatchObject({
      message: expect.stringContaining('STELLAR_WALLET_CODE_HASH'),
    });
    expect(await refusal(prepare(wallet, 'migrate-wallet'))).toMatchObject({
      code: 'transaction-invalid',
    });
    const code = await world.chain.upload(await compileTestContract('successor'));
    Object.assign(world.deps, { walletCodeHash: Buffer.from(code).toString('hex') });
    const upgrade = await prepare(wallet, 'upgrade-wallet');
    expect(describeIt(upgrade.operation)).toBe("replace the wallet's code and lock it on stellar");
    expect(await world.run(wallet, upgrade, [owner])).toMatchObject({ status: 'success' });
    for (const attempt of [pay, () => prepare(wallet, 'upgrade-wallet')])
      expect(await refusal(attempt())).toMatchObject({
        code: 'wallet-locked',
        details: { statusCode: 409 },
      });
    expect(await world.run(wallet, await prepare(wallet, 'migrate-wallet'), [owner])).toMatchObject(
      { status: 'success' },
    );
    expect(await world.run(wallet, await pay(), [owner])).toMatchObject({ status: 'success' });
  });
});

describe('serialised transactions on Stellar', () => {
  const write = (...operations: xdr.Operation[]) => {
    const builder = new TransactionBuilder(new Account(world.chain.bank.publicKey(), '5'), {
      fee: '100',
      networkPassphrase: world.network.passphrase,
    });
    for (const operation of operations) builder.addOperation(operation);
    return builder.setTimeout(60);
  };
  const paramsOf = (text: string, contractId = world.chain.token) => ({
    transaction: { type: 'serialized-transaction', serializedTransaction: text, contractId },
  });

  it('run as the service sends them: the call is theirs, and nothing else', async () => {
    const wallet = await world.aWallet({ adminSigner: owner.signer }, { tokens: 10n });
    const to = world.freshAddress();
    const call = invokeOperation(
      transfer(world.chain.token, { from: wallet.address, to, amount: 3n }),
    );
    const prepared = await world.prepare(wallet, paramsOf(write(call).build().toXdr()), owner);
    expect(await world.run(wallet, prepared, [owner])).toMatchObject({ status: 'success' });
    expect(await world.balance(to)).toBe(3n);
    const refused = (text: string, contractId?: string) =>
      refusal(world.prepare(wallet, paramsOf(text, contractId), owner));
    expect(await refused('AAAA')).toMatchObject({ code: 'validation-error' });
    expect(await refused(write(call).build().toXdr(), world.network.nativeContract)).toMatchObject({
      code: 'validation-error',
    });
    expect(await refused(write(call, call).build().toXdr())).toMatchObject({
      code: 'transaction-invalid',
    });
    expect(await refused(write(call).addMemo(Memo.text('hi')).build().toXdr())).toMatchObject({
      message: expect.stringContaining('memo'),
    });
  });

  it('do not change the wallet inside a call of another contract', async () => {
    const wallet = await world.aWallet({ adminSigner: owner.signer });
    const hostile = await world.chain.deploy(await compileTestContract('hostile'));
    const armed = [
      addressValue(wallet.address),
      xdr.ScVal.scvSymbol('bump_epoch'),
      xdr.ScVal.scvVec([]),
    ];
    await world.chain.run(
      Operation.invokeContractFunction({ contract: hostile, function: 'arm', args: armed }),
    );
    const call = invokeOperation(
      transfer(hostile, { from: wallet.address, to: wallet.address, amount: 1n }),
    );
    expect(
      await refusal(world.prepare(wallet, paramsOf(write(call).build().toXdr(), hostile), owner)),
    ).toMatchObject({
      code: 'transaction-invalid',
      message: expect.stringContaining('inside another call'),
    });
  });

  it('hand on what others have signed', { tags: 'slow' }, async () => {
    const wasm = await compileContract(`
      export function both(one: u64, other: u64): u64 { requireAuth(one); requireAuth(other); return VOID; }
      export function _(): void {}`);
    const contract = await world.chain.deploy(wasm);
    const [wallet, friend] = [
      await world.aWallet({ adminSigner: owner.signer }, { tokens: 1n }),
      Keypair.random(),
    ];
    await world.chain.friendbot(friend.publicKey());
    const call = {
      contract,
      method: 'both',
      args: [addressValue(wallet.address), addressValue(friend.publicKey())],
    };
    const unsigned = paramsOf(write(invokeOperation(call)).build().toXdr(), contract);
    expect(await refusal(world.prepare(wallet, unsigned, owner))).toMatchObject({
      message: expect.stringContaining(friend.publicKey()),
    });
    const { results, latestLedger } = await record(world.connection, call);
    const own = results![0]!.auth!.find(
      ({ credentials }) =>
        credentials.type === 'sorobanCredentialsAddressV2' &&
        Address.fromScAddress(credentials.addressV2.address).toString() === friend.publicKey(),
    );
    const signed = await authorizeEntry(
      own!,
      friend,
      latestLedger + 1_000,
      world.network.passphrase,
    );
    const params = paramsOf(
      write(invokeOperation(call, [signed]))
        .build()
        .toXdr(),
      contract,
    );
    const prepared = await world.prepare(wallet, params, owner);
    expect(describeIt(prepared.operation)).toBe(`call both of ${contract} on stellar`);
    expect(prepared.counterparties).toEqual([friend.publicKey(), contract]);
    expect(await world.run(wallet, prepared, [owner])).toMatchObject({ status: 'success' });
  });

  it('whose call does not ask the wallet itself are refused: what it would sign, anybody could run alone', async () => {
    const wasm = await compileContract(`
      export function pull(token: u64, args: u64): u64 { return call(token, SYMBOL_transfer, args); }
      export function _(): void {}`);
    const contract = await world.chain.deploy(wasm);
    const wallet = await world.aWallet({ adminSigner: owner.signer }, { tokens: 1n });
    const inner = xdr.ScVal.scvVec([
      addressValue(wallet.address),
      addressValue(contract),
      amountValue(1n),
    ]);
    const call = { contract, method: 'pull', args: [addressValue(world.chain.token), inner] };
    const params = paramsOf(write(invokeOperation(call)).build().toXdr(), contract);
    expect(await refusal(world.prepare(wallet, params, owner))).toMatchObject({
      code: 'transaction-invalid',
      message: expect.stringContaining('does not ask the wallet itself'),
    });
  });

  it('that would have the service itself allow something are refused', async () => {
    const wasm = await compileContract(`
      export function take(one: u64, from: u64, token: u64, args: u64): u64 { requireAuth(one); return call(token, SYMBOL_transfer, args); }
      export function _(): void {}`);
    const contract = await world.chain.deploy(wasm);
    const wallet = await world.aWallet({ adminSigner: owner.signer }, { tokens: 1n });
    const channel = world.channels[0]!.address;
    const inner = xdr.ScVal.scvVec([
      addressValue(channel),
      addressValue(wallet.address),
      amountValue(1n),
    ]);
    const args = [
      addressValue(wallet.address),
      addressValue(channel),
      addressValue(world.network.nativeContract),
      inner,
    ];
    const params = paramsOf(
      write(invokeOperation({ contract, method: 'take', args }))
        .build()
        .toXdr(),
      contract,
    );
    expect(await refusal(world.prepare(wallet, params, owner))).toMatchObject({
      code: 'transaction-invalid',
      message: expect.stringContaining(`needs the approval of ${channel} too`),
    });
  });
});

describe('who can move a wallet on Stellar', { tags: 'slow' }, () => {
  it('is read from the chain: owners, delegates, what is missing, and changes that nobody here knows', async () => {
    const [known, stranger] = [ed25519Signer(), ed25519Signer()];
    const wallet = await world.aWallet({ adminSigner: owner.signer });
    const read = (...inForce: boolean[]) =>
      readStellarControl(world.connection, {
        wallet,
        chain: 'stellar',
        known: inForce.map((one) => ({ signer: known.signer, inForce: one })),
      });
    const add = async (delegate: Delegate) => {
      const change = { kind: 'add', delegate } as const;
      const prepared = await prepareStellarSignerChange(world.deps, {
        wallet,
        chain: 'stellar',
        change,
        approver: owner.signer,
        now: new Date(),
      });
      expect(await world.run(wallet, prepared, [owner])).toMatchObject({ status: 'success' });
      return prepared;
    };
    expect(await read(true)).toMatchObject({ deployed: false, epoch: 0 });
    const added = await add({
      signer: known.signer,
      scopes: [],
      expiresAt: new Date(1_999_999_999_500),
    });
    expect(describeIt(added.operation)).toBe('register a delegated signer on stellar');
    expect(await read(true)).toEqual({
      deployed: true,
      owners: [owner.signer.address],
      threshold: 1,
      modules: [],
      epoch: 0,
      signers: [
        {
          id: known.signer.address,
          locator: known.signer.locator,
          validUntil: new Date(2_000_000_000_000),
          scopeCount: 0,
        },
      ],
      missing: [],
      differences: [],
    });
    await add({ signer: stranger.signer, scopes: [] });
    expect((await read(true)).differences).toEqual([
      'After the last change known here, the wallet counted 1 of delegated signers that are not: raise its epoch.',
    ]);
    const end = await prepareStellarEnd(world.deps, {
      wallet,
      chain: 'stellar',
      approver: owner.signer,
      now: new Date(),
    });
    expect(describeIt(end.operation)).toContain('end all delegated signers');
    await world.run(wallet, end, [owner]);
    expect(await read(true)).toMatchObject({
      epoch: 1,
      signers: [],
      missing: [known.signer.locator],
    });
  });
});
