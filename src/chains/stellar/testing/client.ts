import { randomBytes } from 'node:crypto';
import {
  Address,
  type Asset,
  Keypair,
  type Memo,
  Networks,
  Operation,
  rpc,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk';

/** Somebody outside of this service, with the client that everybody has. */
export interface StellarClient {
  /** An account with 10,000 lumens. */
  newAccount(): Promise<Keypair>;
  /**
   * Classic operations in one transaction.
   * @returns its hash
   * @throws Error unless it went through, or failed where `mayFail` says so
   */
  send(
    source: Keypair,
    operations: readonly xdr.Operation[],
    options?: SendOptions,
  ): Promise<string>;
  /** What somebody signed. @returns its hash */
  submit(transaction: Transaction): Promise<string>;
  /** A call of a contract, which the source authorises. */
  invoke(
    source: Keypair,
    operation: xdr.Operation,
  ): Promise<{ readonly hash: string; readonly value: xdr.ScVal }>;
  /** The contract of an asset. @returns its address */
  deployAsset(source: Keypair, asset: Asset): Promise<string>;
  /** @returns the address of a contract with this code */
  deploy(source: Keypair, wasm: Uint8Array, salt?: Uint8Array): Promise<string>;
  /** @returns the hash of the code */
  upload(source: Keypair, wasm: Uint8Array): Promise<Uint8Array>;
  hasAccount(address: string): Promise<boolean>;
  /** Of the network that the node serves. */
  passphrase(): Promise<string>;
  latestLedger(): Promise<number>;
}

export interface SendOptions {
  readonly memo?: Memo;
  readonly signers?: readonly Keypair[];
  readonly mayFail?: boolean;
}

/** How often a node is asked whether a ledger has a transaction, once a second. */
const attempts = 60;

export function connectClient(
  url: string,
  networkPassphrase: string = Networks.STANDALONE,
): StellarClient {
  const server = new rpc.Server(url, { allowHttp: true });
  const options = { fee: '10000', networkPassphrase };

  async function build(source: Keypair, operations: readonly xdr.Operation[], memo?: Memo) {
    const builder = new TransactionBuilder(await server.getAccount(source.publicKey()), options);
    for (const operation of operations) builder.addOperation(operation);
    if (memo) builder.addMemo(memo);
    return builder.setTimeout(0).build();
  }

  async function submit(
    transaction: Awaited<ReturnType<typeof build>>,
    signers: readonly Keypair[],
    mayFail = false,
  ) {
    for (const signer of signers) transaction.sign(signer);
    const { status, hash, errorResult } = await server.sendTransaction(transaction);
    if (status !== 'PENDING')
      throw new Error(`The transaction is not let in: ${errorResult?.result.type ?? status}`);
    const got = await server.pollTransaction(hash, { attempts });
    if (got.status !== 'SUCCESS' && !mayFail)
      throw new Error(`The transaction ${hash} ended as ${got.status}`);
    return { hash, got };
  }

  async function invoke(source: Keypair, operation: xdr.Operation) {
    const simulated = await server.simulateTransaction(await build(source, [operation]));
    if (!rpc.Api.isSimulationSuccess(simulated)) throw new Error(simulated.error);
    const ready = rpc.assembleTransaction(await build(source, [operation]), simulated).build();
    const { hash, got } = await submit(ready, [source]);
    if (got.status !== 'SUCCESS' || !got.returnValue) throw new Error('A call answers a value.');
    return { hash, value: got.returnValue };
  }

  async function upload(source: Keypair, wasm: Uint8Array) {
    const { value } = await invoke(source, Operation.uploadContractWasm({ wasm }));
    if (value.type !== 'scvBytes') throw new Error('An upload answers a hash.');
    return value.bytes.value;
  }

  const addressOf = ({ value }: Awaited<ReturnType<typeof invoke>>) =>
    Address.fromScVal(value).toString();

  return {
    async newAccount() {
      const key = Keypair.random();
      await server.requestAirdrop(key.publicKey());
      return key;
    },
    async send(source, operations, { memo, signers = [], mayFail } = {}) {
      return (await submit(await build(source, operations, memo), [source, ...signers], mayFail))
        .hash;
    },
    submit: async (transaction) => (await submit(transaction, [])).hash,
    invoke,
    deployAsset: async (source, asset) =>
      addressOf(await invoke(source, Operation.createStellarAssetContract({ asset }))),
    upload,
    async deploy(source, wasm, salt = randomBytes(32)) {
      const wasmHash = await upload(source, wasm);
      const address = new Address(source.publicKey());
      return addressOf(
        await invoke(source, Operation.createCustomContract({ address, wasmHash, salt })),
      );
    },
    hasAccount: async (address) =>
      server.getAccountEntry(address).then(
        () => true,
        () => false,
      ),
    passphrase: async () => (await server.getNetwork()).passphrase,
    latestLedger: async () => (await server.getLatestLedger()).sequence,
  };
}
