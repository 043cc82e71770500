/** Measures what it costs when somebody else than the wallet's owners signs; part of `gas.ts`. */
import { delegateNonce } from './index.ts';
import {
  anAccount,
  anOperation,
  aWallet,
  type BatchItem,
  execute,
  executeBatch,
  mint,
  readExecuted,
  type TestChain,
  type TestWallet,
  transferCall,
} from './test/chain.ts';
import {
  aDelegateOperation,
  aDeviceSigner,
  anEcdsaSigner,
  aPasskeySigner,
  aQuorumSigner,
  signAs,
  signAsOwners,
  type TestSigner,
} from './test/delegates.ts';

type Kind = 'ecdsa' | 'p256' | 'webauthn' | 'twoOfThree';

/**
 * An ERC-20 transfer to a holder by a delegate; `scoped`: with a limit per day and a list of
 * recipients.
 */
export type DelegateGasRecord = Readonly<
  Record<
    | `${Kind}${'' | 'Scoped'}Delegate${'Alone' | 'InBatchOf20'}`
    | 'passkeyOwnerAlone'
    | 'passkeyOwnerInBatchOf20',
    number
  >
>;

const batchSize = 20;
const signersOf: Readonly<Record<Kind, (index: number) => TestSigner>> = {
  ecdsa: (index) => anEcdsaSigner(anAccount(`gas delegate ${index}`)),
  p256: (index) => aDeviceSigner(`gas ${index}`),
  webauthn: (index) => aPasskeySigner(`gas ${index}`),
  twoOfThree: (index) =>
    aQuorumSigner(
      2,
      [1, 2, 3].map((member) => anEcdsaSigner(anAccount(`gas member ${index} ${member}`))),
    ),
};

export async function measureDelegates(chain: TestChain): Promise<DelegateGasRecord> {
  const record: Partial<Record<string, number>> = {};
  for (const kind of ['ecdsa', 'p256', 'webauthn', 'twoOfThree'] as const) {
    for (const scoped of [false, true]) {
      const name = `${kind}${scoped ? 'Scoped' : ''}Delegate`;
      Object.assign(record, await measureDelegate(chain, name, signersOf[kind], scoped));
    }
  }
  Object.assign(record, await measurePasskeyOwner(chain));
  return record as DelegateGasRecord;
}

const payee = (index: number) => anAccount(`gas payee ${index}`).address;

async function measureDelegate(
  chain: TestChain,
  name: string,
  signerOf: (index: number) => TestSigner,
  scoped: boolean,
) {
  const pairs: { wallet: TestWallet; signer: TestSigner }[] = [];
  for (let index = 0; index < batchSize; index++) {
    const signer = signerOf(index);
    await mint(chain, payee(index), 1n);
    const scopes = scoped
      ? [{ token: chain.token, limit: 500_000_000n, interval: 86_400, recipients: [payee(index)] }]
      : [];
    pairs.push({
      signer,
      wallet: await aWallet(chain, { delegates: [{ signer: signer.key, scopes }], deployed: true }),
    });
  }
  let round = 0n;
  const items = async () => {
    round++;
    return Promise.all(
      pairs.map(async ({ wallet, signer }, index): Promise<BatchItem> => {
        const op = aDelegateOperation(chain, wallet, signer, {
          calls: [transferCall(chain.token, payee(index), 1_000_000n)],
          nonce: delegateNonce(signer.key, round),
        });
        return {
          op,
          signature: await signAs(chain, signer, op, scoped ? [0] : []),
          deployment: '0x',
          gasLimit: 1_000_000n,
        };
      }),
    );
  };
  // The first round opens the window and the slot of nonces, as in daily use.
  await measureBatch(chain, await items());
  return {
    [`${name}Alone`]: await measureAlone(chain, (await items())[0]),
    [`${name}InBatchOf20`]: await measureBatch(chain, await items()),
  };
}

async function measurePasskeyOwner(chain: TestChain) {
  const pairs: { wallet: TestWallet; signer: TestSigner }[] = [];
  for (let index = 0; index < batchSize; index++) {
    const signer = aPasskeySigner(`gas owner ${index}`);
    pairs.push({
      signer,
      wallet: await aWallet(chain, { ownerSigners: [signer], deployed: true }),
    });
  }
  let nonce = 65_536n;
  const items = async () => {
    nonce++;
    return Promise.all(
      pairs.map(async ({ wallet, signer }, index): Promise<BatchItem> => {
        const op = anOperation(chain, wallet, {
          calls: [transferCall(chain.token, payee(index), 1_000_000n)],
          nonce,
        });
        return {
          op,
          signature: await signAsOwners(chain, [signer], op),
          deployment: '0x',
          gasLimit: 1_000_000n,
        };
      }),
    );
  };
  await measureBatch(chain, await items());
  return {
    passkeyOwnerAlone: await measureAlone(chain, (await items())[0]),
    passkeyOwnerInBatchOf20: await measureBatch(chain, await items()),
  };
}

async function measureBatch(chain: TestChain, items: readonly BatchItem[]): Promise<number> {
  const { receipt } = await executeBatch(chain, items);
  if (readExecuted(receipt).filter(({ success }) => success).length !== items.length)
    throw new Error('An operation of the measured batch failed.');
  return Number(receipt.gasUsed / BigInt(items.length));
}

async function measureAlone(chain: TestChain, item: BatchItem | undefined): Promise<number> {
  if (!item) throw new Error('Nothing to measure.');
  const { receipt, success } = await execute(chain, item.op, item.signature);
  if (!success) throw new Error('The measured operation failed.');
  return Number(receipt.gasUsed);
}
