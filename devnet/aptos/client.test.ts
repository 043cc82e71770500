import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Account,
  AccountAddress,
  AccountAuthenticatorMultiKey,
  type AnyRawTransaction,
  Aptos,
  AptosConfig,
  generateSignedTransaction,
  type InputEntryFunctionData,
  type InputGenerateTransactionOptions,
  MultiKey,
  MultiKeyAccount,
  MultiKeySignature,
  Network,
  SigningSchemeInput,
  type SimpleTransaction,
} from '@aptos-labs/ts-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseTypeTag } from '../../src/chains/aptos/encoding/type-tags.ts';
import { localModule } from './execution/functions.ts';
import { assetOfCoin, readAssetName, storeOf } from './ledger/assets.ts';
import { type AptosChain, startAptosChain } from './local.ts';
import { holdChild } from './testing/hold-chain.ts';

const apt = readAssetName('0xa');
const usd = AccountAddress.from(`0x${'5d'.repeat(32)}`).toString();
const coin = `0x${'c0'.repeat(32)}::coin::Coin<0x1::aptos_coin::AptosCoin, vector<u8>>`;
const oneApt = 100_000_000n;

let chain: AptosChain;
let aptos: Aptos;
let payer: Account;

const clientOf = (url: string) =>
  new Aptos(new AptosConfig({ network: Network.CUSTOM, fullnode: `${url}/v1` }));

beforeAll(async () => {
  chain = await startAptosChain();
  aptos = clientOf(chain.url);
  payer = Account.generate();
  chain.give(apt, payer.accountAddress.toString(), oneApt);
});
afterAll(() => chain.stop());

function newAccount(amount = 0n): Account {
  const account = Account.generate();
  if (amount > 0n) chain.give(apt, account.accountAddress.toString(), amount);
  return account;
}

type Options = InputGenerateTransactionOptions & { readonly withFeePayer?: boolean };

async function pay(
  sender: Account,
  to: AccountAddress,
  amount: bigint,
  { withFeePayer, ...options }: Options = {},
) {
  return aptos.transaction.build.simple({
    sender: sender.accountAddress,
    withFeePayer: withFeePayer ?? false,
    data: { function: '0x1::aptos_account::transfer', functionArguments: [to, amount] },
    options,
  });
}

const nowS = () => chain.time();
const balanceOf = (account: Account, asset = '0xa') =>
  aptos.getBalance({ accountAddress: account.accountAddress, asset: asset as '0xa' });

async function sendSponsored(sender: Account, transaction: SimpleTransaction, by = payer) {
  const senderAuthenticator = aptos.transaction.sign({ signer: sender, transaction });
  const feePayerAuthenticator = aptos.transaction.signAsFeePayer({ signer: by, transaction });
  return aptos.transaction.submit.simple({
    transaction,
    senderAuthenticator,
    feePayerAuthenticator,
  });
}

const done = (hash: string) =>
  aptos.waitForTransaction({ transactionHash: hash, options: { checkSuccess: false } });

describe('the local Aptos chain, asked by the official client 5.1.4', () => {
  it('moves APT by sequence number, and charges the gas that was simulated to the octa', async () => {
    const [sender, other] = [newAccount(oneApt), newAccount()];
    const transaction = await pay(sender, other.accountAddress, 1_000n);
    const [simulated] = await aptos.transaction.simulate.simple({
      signerPublicKey: sender.publicKey,
      transaction,
    });
    expect(simulated).toMatchObject({ success: true, vm_status: 'Executed successfully' });
    const { hash } = await aptos.signAndSubmitTransaction({ signer: sender, transaction });
    const landed = await done(hash);
    expect(landed).toMatchObject({ success: true, gas_used: simulated!.gas_used, hash });
    expect(await balanceOf(other)).toBe(1_000);
    expect(BigInt(await balanceOf(sender))).toBe(oneApt - 1_000n - BigInt(landed.gas_used) * 100n);
    expect(
      (await aptos.getAccountInfo({ accountAddress: sender.accountAddress })).sequence_number,
    ).toBe('1');
    const again = aptos.transaction.sign({ signer: sender, transaction });
    const late = await pay(sender, other.accountAddress, 1n, { accountSequenceNumber: 0n });
    await expect(
      aptos.signAndSubmitTransaction({ signer: sender, transaction: late }),
    ).rejects.toThrow('SEQUENCE_NUMBER_TOO_OLD');
    // The same bytes, once more.
    await expect(
      aptos.transaction.submit.simple({ transaction, senderAuthenticator: again }),
    ).rejects.toThrow('SEQUENCE_NUMBER_TOO_OLD');
    expect(await balanceOf(other)).toBe(1_000);
  });

  it('lets an account without APT send what another pays for: orderless, by one key and by one of several', async () => {
    const secp = Account.generate({ scheme: SigningSchemeInput.Secp256k1Ecdsa });
    const ed = Account.generate();
    const multiKey = new MultiKey({
      publicKeys: [ed.publicKey, secp.publicKey],
      signaturesRequired: 1,
    });
    const several = new MultiKeyAccount({ multiKey, signers: [secp] });
    chain.addAsset(usd, { name: 'Dollar', symbol: 'USD', decimals: 6 });
    for (const sender of [newAccount(), secp, several as unknown as Account]) {
      chain.give(usd, sender.accountAddress.toString(), 50n);
      const other = newAccount();
      const before = BigInt(await balanceOf(payer));
      const transaction = await aptos.transaction.build.simple({
        sender: sender.accountAddress,
        withFeePayer: true,
        data: {
          function: '0x1::primary_fungible_store::transfer',
          typeArguments: ['0x1::fungible_asset::Metadata'],
          functionArguments: [usd, other.accountAddress, 20n],
        },
        options: { replayProtectionNonce: 77n, expireTimestamp: (await nowS()) + 50 },
      });
      transaction.feePayerAddress = payer.accountAddress;
      const landed = await done((await sendSponsored(sender, transaction)).hash);
      expect(landed).toMatchObject({ success: true, replay_protection_nonce: '77' });
      expect([await balanceOf(sender, usd), await balanceOf(other, usd)]).toEqual([30, 20]);
      expect(before - BigInt(await balanceOf(payer))).toBe(BigInt(landed.gas_used) * 100n);
      const { events } = landed as unknown as {
        readonly events: { readonly type: string; readonly data: unknown }[];
      };
      expect(events.slice(0, 2)).toMatchObject([
        {
          type: '0x1::fungible_asset::Withdraw',
          data: { amount: '20', store: storeOf(usd, sender.accountAddress.toString()) },
        },
        {
          type: '0x1::fungible_asset::Deposit',
          data: { amount: '20', store: storeOf(usd, other.accountAddress.toString()) },
        },
      ]);
    }
  });

  it('takes a nonce once, and refuses orderless transactions that expire too late or have expired', async () => {
    const [sender, other] = [newAccount(oneApt), newAccount()];
    const expireTimestamp = (await nowS()) + 30;
    const first = await pay(sender, other.accountAddress, 1n, {
      replayProtectionNonce: 5n,
      expireTimestamp,
    });
    await aptos.signAndSubmitTransaction({ signer: sender, transaction: first });
    const second = await pay(sender, other.accountAddress, 2n, {
      replayProtectionNonce: 5n,
      expireTimestamp: expireTimestamp + 10,
    });
    await expect(
      aptos.signAndSubmitTransaction({ signer: sender, transaction: second }),
    ).rejects.toThrow('NONCE_ALREADY_USED');
    for (const [seconds, code] of [
      [90, 'TRANSACTION_EXPIRATION_TOO_FAR_IN_FUTURE'],
      [-1, 'TRANSACTION_EXPIRED'],
    ] as const) {
      const wrong = await pay(sender, other.accountAddress, 1n, {
        replayProtectionNonce: 6n,
        expireTimestamp: (await nowS()) + seconds,
      });
      await expect(
        aptos.signAndSubmitTransaction({ signer: sender, transaction: wrong }),
      ).rejects.toThrow(code);
    }
    expect(await balanceOf(other)).toBe(1);
  });

  it('takes a nonce again once its first use has long expired: at most once is a matter of the expiry, too', async () => {
    const late = await startAptosChain();
    const [client, sender, other] = [clientOf(late.url), Account.generate(), Account.generate()];
    late.give(apt, sender.accountAddress.toString(), oneApt);
    const send = async () => {
      const transaction = await client.transaction.build.simple({
        sender: sender.accountAddress,
        data: {
          function: '0x1::aptos_account::transfer',
          functionArguments: [other.accountAddress, 1n],
        },
        options: { replayProtectionNonce: 9n, expireTimestamp: (await late.time()) + 30 },
      });
      return client.signAndSubmitTransaction({ signer: sender, transaction });
    };
    await send();
    await late.advanceTime(64);
    await expect(send()).rejects.toThrow('NONCE_ALREADY_USED');
    await late.advanceTime(10);
    await send();
    expect(await client.getBalance({ accountAddress: other.accountAddress, asset: '0xa' })).toBe(2);
    await late.stop();
  });

  it('verifies every signature: of strangers, of another transaction, of another payer, of too few', async () => {
    const [sender, other, stranger] = [newAccount(oneApt), newAccount(), newAccount(oneApt)];
    const transaction = await pay(sender, other.accountAddress, 1n, { withFeePayer: true });
    transaction.feePayerAddress = payer.accountAddress;
    await expect(sendSponsored(stranger, transaction)).rejects.toThrow('INVALID_AUTH_KEY');
    const bigger = await pay(sender, other.accountAddress, 2n, { withFeePayer: true });
    bigger.feePayerAddress = payer.accountAddress;
    const senderAuthenticator = aptos.transaction.sign({ signer: sender, transaction });
    const feePayerAuthenticator = aptos.transaction.signAsFeePayer({
      signer: payer,
      transaction: bigger,
    });
    await expect(
      aptos.transaction.submit.simple({
        transaction: bigger,
        senderAuthenticator,
        feePayerAuthenticator,
      }),
    ).rejects.toThrow('INVALID_SIGNATURE');
    // Signed for one payer, sent with another.
    bigger.feePayerAddress = stranger.accountAddress;
    const late = aptos.transaction.signAsFeePayer({ signer: stranger, transaction: bigger });
    bigger.feePayerAddress = payer.accountAddress;
    const own = aptos.transaction.sign({ signer: sender, transaction: bigger });
    bigger.feePayerAddress = stranger.accountAddress;
    await expect(
      aptos.transaction.submit.simple({
        transaction: bigger,
        senderAuthenticator: own,
        feePayerAuthenticator: late,
      }),
    ).rejects.toThrow('INVALID_SIGNATURE');
    const keys = [Account.generate(), Account.generate()];
    const multiKey = new MultiKey({
      publicKeys: keys.map(({ publicKey }) => publicKey),
      signaturesRequired: 2,
    });
    const both = new MultiKeyAccount({ multiKey, signers: keys });
    chain.give(apt, both.accountAddress.toString(), oneApt);
    const shared = await pay(both as unknown as Account, other.accountAddress, 3n);
    const whole = both.signTransactionWithAuthenticator(shared);
    const one = new MultiKeySignature({
      signatures: whole.signatures.signatures.slice(0, 1),
      bitmap: [0],
    });
    const tooFew = new AccountAuthenticatorMultiKey(whole.public_keys, one);
    await expect(
      aptos.transaction.submit.simple({ transaction: shared, senderAuthenticator: tooFew }),
    ).rejects.toThrow('INVALID_SIGNATURE');
    expect(await balanceOf(other)).toBe(0);
    await aptos.signAndSubmitTransaction({ signer: both, transaction: shared });
    expect(await balanceOf(other)).toBe(3);
  });

  it('takes no more of a payer than was signed for, and lets nobody in who cannot pay that', async () => {
    const [sender, poor] = [newAccount(oneApt), newAccount(1_000n)];
    const transaction = await pay(sender, newAccount().accountAddress, 1n, {
      withFeePayer: true,
      maxGasAmount: 1_000,
    });
    transaction.feePayerAddress = poor.accountAddress;
    await expect(sendSponsored(sender, transaction, poor)).rejects.toThrow(
      'INSUFFICIENT_BALANCE_FOR_TRANSACTION_FEE',
    );
    // A new store costs more than this.
    const tight = await pay(sender, newAccount().accountAddress, 1n, {
      withFeePayer: true,
      maxGasAmount: 20,
    });
    tight.feePayerAddress = payer.accountAddress;
    const before = await balanceOf(payer);
    expect(await done((await sendSponsored(sender, tight)).hash)).toMatchObject({
      success: false,
      vm_status: 'Out of gas',
      gas_used: '20',
    });
    expect(before - (await balanceOf(payer))).toBe(2_000);
    expect(await balanceOf(sender)).toBe(Number(oneApt));
  });

  it('keeps nothing of what fails but the fee', async () => {
    const [sender, other] = [newAccount(oneApt), newAccount()];
    const all = await pay(sender, other.accountAddress, oneApt + 1n);
    const landed = await done(
      (await aptos.signAndSubmitTransaction({ signer: sender, transaction: all })).hash,
    );
    expect(landed).toMatchObject({
      success: false,
      vm_status: expect.stringContaining('EINSUFFICIENT_BALANCE'),
    });
    // What would leave nothing for the fee.
    const rest = await balanceOf(sender);
    const empty = await pay(sender, other.accountAddress, BigInt(rest));
    expect(
      await done(
        (await aptos.signAndSubmitTransaction({ signer: sender, transaction: empty })).hash,
      ),
    ).toMatchObject({
      success: false,
    });
    expect(await balanceOf(other)).toBe(0);
    expect(
      (await aptos.getAccountInfo({ accountAddress: sender.accountAddress })).sequence_number,
    ).toBe('2');
  });

  it('moves coins of any type as the assets they are paired with', async () => {
    const [sender, other] = [newAccount(oneApt), newAccount()];
    const asset = assetOfCoin(parseTypeTag(coin));
    chain.addAsset(asset, { name: 'Coffee', symbol: 'COF', decimals: 3 });
    chain.give(asset, sender.accountAddress.toString(), 10n);
    const transaction = await aptos.transferCoinTransaction({
      sender: sender.accountAddress,
      recipient: other.accountAddress,
      amount: 4,
      coinType: coin as `${string}::${string}::${string}`,
    });
    expect(
      await done((await aptos.signAndSubmitTransaction({ signer: sender, transaction })).hash),
    ).toMatchObject({ success: true });
    const asJson = async (body: object) =>
      (
        await fetch(`${chain.url}/v1/view`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json();
    const balance = {
      function: '0x1::coin::balance',
      type_arguments: [coin],
      arguments: [other.accountAddress.toString()],
    };
    expect(await asJson(balance)).toEqual(['4']);
    expect(
      await asJson({
        function: '0x1::fungible_asset::decimals',
        type_arguments: ['0x1::fungible_asset::Metadata'],
        arguments: [asset],
      }),
    ).toEqual([3]);
  });

  it('mints for the minter alone, and refuses by name what only a Move VM could run', async () => {
    const [minter, other] = [newAccount(oneApt), newAccount(oneApt)];
    chain.addAsset(usd, {
      name: 'Dollar',
      symbol: 'USD',
      decimals: 6,
      minter: minter.accountAddress.toString(),
    });
    const mint = (sender: Account) =>
      aptos.transaction.build.simple({
        sender: sender.accountAddress,
        data: {
          function: `${localModule.address}::${localModule.name}::mint`,
          functionArguments: [usd, other.accountAddress, 7n],
        },
      });
    const send = async (signer: Account, transaction: AnyRawTransaction) =>
      done((await aptos.signAndSubmitTransaction({ signer, transaction })).hash);
    expect(await send(other, await mint(other))).toMatchObject({
      success: false,
      vm_status: expect.stringContaining('ENOT_MINTER'),
    });
    expect(await send(minter, await mint(minter))).toMatchObject({ success: true });
    expect(await balanceOf(other, usd)).toBe(7);
    const abi = { typeParameters: [], parameters: [] };
    const foreign = await aptos.transaction.build.simple({
      sender: minter.accountAddress,
      data: { function: '0x1::code::publish_package_txn', functionArguments: [], abi },
    });
    await expect(
      aptos.signAndSubmitTransaction({ signer: minter, transaction: foreign }),
    ).rejects.toThrow(/no Move VM: 0x1::code::publish_package_txn is not one of/);
  });

  it('lists versions without gaps, says where it stands, and moves in time', async () => {
    const { ledger_version: version } = await aptos.getLedgerInfo();
    const all: { readonly version: string; readonly type: string }[] = [];
    for (let start = 1; start <= Number(version); start += 10)
      all.push(
        ...((await aptos.getTransactions({ options: { offset: start, limit: 10 } })) as never[]),
      );
    expect(all.map((one) => Number(one.version))).toEqual(
      Array.from({ length: Number(version) }, (_, index) => index + 1),
    );
    expect(new Set(all.map(({ type }) => type))).toEqual(
      new Set(['block_metadata_transaction', 'user_transaction']),
    );
    const block = await aptos.getBlockByVersion({
      ledgerVersion: Number(version),
      options: { withTransactions: true },
    });
    expect(block.transactions).toMatchObject([{ type: 'block_metadata_transaction' }, { version }]);
    const response = await fetch(`${chain.url}/v1/transactions/by_version/${version}`);
    expect(response.headers.get('x-aptos-ledger-version')).toBe(version);
    expect(response.headers.get('x-aptos-chain-id')).toBe('4');
    const before = await nowS();
    await chain.advanceTime(1_000);
    expect(await nowS()).toBeGreaterThanOrEqual(before + 1_000);
    expect(Number(response.headers.get('x-aptos-ledger-timestampusec'))).toBeLessThan(
      (before + 999) * 1e6,
    );
  });

  it('refuses a simulation with valid signatures, which somebody could send', async () => {
    const sender = newAccount(oneApt);
    const transaction = await pay(sender, newAccount().accountAddress, 1n);
    const body = generateSignedTransaction({
      transaction,
      senderAuthenticator: aptos.transaction.sign({ signer: sender, transaction }),
    });
    const headers = { 'content-type': 'application/x.aptos.signed_transaction+bcs' };
    const response = await fetch(`${chain.url}/v1/transactions/simulate`, {
      method: 'POST',
      headers,
      body: Buffer.from(body),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      message: expect.stringContaining('must not have a valid signature'),
    });
  });
});

describe('what the local Aptos chain answered', { tags: 'slow' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'purser-aptos-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is there after kill -9: balances, sequence numbers, nonces, transactions and the time', async () => {
    const sender = Account.generate();
    const other = Account.generate();
    const first = await holdChild(folder);
    const client = clientOf(first.url);
    await fetch(`${first.url}/v1/mint`, {
      method: 'POST',
      body: JSON.stringify({ address: sender.accountAddress.toString(), amount: '100000000' }),
    });
    const dataOf = (amount: bigint): InputEntryFunctionData => ({
      function: '0x1::aptos_account::transfer',
      functionArguments: [other.accountAddress, amount],
    });
    const options = async () => ({
      replayProtectionNonce: 3n,
      expireTimestamp: Math.floor(Date.now() / 1000) + 40,
    });
    const transaction = await client.transaction.build.simple({
      sender: sender.accountAddress,
      data: dataOf(5n),
      options: await options(),
    });
    const { hash } = await client.signAndSubmitTransaction({ signer: sender, transaction });
    await first.kill();
    const second = await holdChild(folder);
    const later = clientOf(second.url);
    expect(await later.getTransactionByHash({ transactionHash: hash })).toMatchObject({
      success: true,
    });
    expect(await later.getBalance({ accountAddress: other.accountAddress, asset: '0xa' })).toBe(5);
    const again = await later.transaction.build.simple({
      sender: sender.accountAddress,
      data: dataOf(6n),
      options: await options(),
    });
    await expect(
      later.signAndSubmitTransaction({ signer: sender, transaction: again }),
    ).rejects.toThrow(/NONCE_ALREADY_USED|already/);
    await second.kill();
  });
});
