import { readFileSync } from 'node:fs';
import {
  Account,
  Address,
  Asset,
  Keypair,
  Operation,
  scValToNative,
  Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base';
import { wasmPaths } from '../../../../contracts/stellar/build.ts';
import { startStellarChain } from '../../../../devnet/stellar/local.ts';
import { createJsonRpc, type RpcParams } from '../../../lib/net/json-rpc.ts';
import { stellarNetwork } from '../config/networks.ts';
import { readEntries, readTransaction, send, simulate } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';

export type TestChain = Awaited<ReturnType<typeof openChain>>;

/** A local chain with the wallet factory, the contracts of lumens and of a test stablecoin. */
export async function openChain({ ledgerMs = 60_000 }: { readonly ledgerMs?: number } = {}) {
  const node = await startStellarChain({ ledgerMs });
  const bank = Keypair.random();
  const asset = new Asset('USDXM', bank.publicKey());
  const passphrase = stellarNetwork('development').passphrase;
  const token = asset.contractId(passphrase);
  const network = stellarNetwork('development', { testTokenContract: token });
  const rpc = createJsonRpc<RpcParams>({ url: node.url, timeoutMs: 10_000, readMethods: /^get/ });
  const connection: StellarConnection = { network, rpc };

  async function friendbot(address: string): Promise<void> {
    const response = await fetch(`${node.url}/friendbot?addr=${address}`);
    if (!response.ok) throw new Error(await response.text());
  }

  /** By the bank, which has everything. Answers what the call gave. */
  async function run(operation: xdr.Operation, ...signers: readonly Keypair[]): Promise<unknown> {
    const key = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: bank.xdrAccountId() }));
    const data = (await readEntries(connection, [key])).entries[0]!.data;
    const sequence = data.type === 'account' ? data.account.seqNum.toString() : '';
    const build = (resources?: xdr.SorobanTransactionData) => {
      const builder = new TransactionBuilder(new Account(bank.publicKey(), sequence), {
        fee: '100000',
        networkPassphrase: passphrase,
      });
      if (resources) builder.setSorobanData(resources);
      return builder.addOperation(operation).setTimeout(0).build();
    };
    const auth =
      operation.body.type === 'invokeHostFunction'
        ? operation.body.invokeHostFunctionOp.auth
        : undefined;
    const simulation =
      auth && (await simulate(connection, build().toXdr(), auth.length > 0 ? 'enforce' : 'record'));
    if (simulation?.error != null) throw new Error(simulation.error);
    // What the bank has to allow, it allows as the source.
    const asked = simulation?.results?.[0]?.auth ?? [];
    if (operation.body.type === 'invokeHostFunction' && auth?.length === 0 && asked.length > 0) {
      const { hostFunction: func } = operation.body.invokeHostFunctionOp;
      return run(Operation.invokeHostFunction({ func, auth: [...asked] }), ...signers);
    }
    const transaction = build(simulation?.transactionData ?? undefined);
    for (const signer of [bank, ...signers]) transaction.sign(signer);
    await sendWhole(transaction);
    const value = simulation?.results?.[0]?.xdr;
    return value && scValToNative(value);
  }

  async function sendWhole(transaction: Transaction): Promise<void> {
    const { status, hash, errorResultXdr } = await send(connection, transaction.toXdr());
    const found = await readTransaction(connection, hash);
    if (status !== 'PENDING' || found.status !== 'SUCCESS')
      throw new Error(
        `${status} ${found.status} ${JSON.stringify((errorResultXdr ?? ('resultXdr' in found ? found.resultXdr : undefined))?.toJson())}`,
      );
  }

  await friendbot(bank.publicKey());
  const upload = async (wasm: Uint8Array) =>
    (await run(Operation.uploadContractWasm({ wasm }))) as Uint8Array;
  const deploy = async (wasm: Uint8Array) =>
    (await run(
      Operation.createCustomContract({
        address: new Address(bank.publicKey()),
        wasmHash: await upload(wasm),
      }),
    )) as string;
  await upload(readFileSync(wasmPaths.wallet));
  const factory = await deploy(readFileSync(wasmPaths.factory));
  await run(Operation.createStellarAssetContract({ asset: Asset.native() }));
  await run(Operation.createStellarAssetContract({ asset }));

  const transferOf = (contract: string, to: string, amount: bigint) =>
    Operation.invokeContractFunction({
      contract,
      function: 'transfer',
      args: [
        new Address(bank.publicKey()).toScVal(),
        new Address(to).toScVal(),
        xdr.ScVal.scvI128(new xdr.Int128Parts({ hi: 0n, lo: amount })),
      ],
    });

  return {
    node,
    network,
    connection,
    connect: async () => connection,
    asset,
    token,
    factory,
    bank,
    friendbot,
    run,
    upload,
    deploy,
    /** To a contract, or an account with a trust line. */
    giveTokens: async (to: string, amount: bigint): Promise<void> =>
      void (await run(transferOf(token, to, amount))),
    giveNative: async (to: string, amount: bigint): Promise<void> =>
      void (await run(transferOf(network.nativeContract, to, amount))),
    async close() {
      rpc.close();
      await node.stop();
    },
  };
}
