import { parseEther } from 'viem';
import { addresses, type Operation } from './index.ts';
import {
  anAccount,
  anOperation,
  type BatchItem,
  batchData,
  mint,
  readExecuted,
  readReceipt,
  sign,
  type TestChain,
  transferCall,
} from './test/chain.ts';

/** Gas per transfer of accounts that delegate to our code (EIP-7702), somebody else paying. */
export interface AccountGasRecord {
  /** With the delegation in the same transaction. */
  readonly delegationAndFirstTransfer: number;
  readonly delegationAndFirstTransferInBatchOf20: number;
  readonly accountTransferInBatchOf20: number;
}

export async function measureAccounts(chain: TestChain): Promise<AccountGasRecord> {
  const payer = anAccount('gas payer of accounts');
  await chain.client.setBalance({ address: payer.address, value: parseEther('100') });
  const keys = Array.from({ length: 21 }, (_, index) => anAccount(`gas account ${index}`));
  const payees = keys.map((_, index) => anAccount(`gas payee of account ${index}`).address);
  for (const holder of [...keys.map(({ address }) => address), ...payees])
    await mint(chain, holder, 10_000_000n);
  let nonce = 0n;

  async function gasOf(from: number, to: number, isFirst: boolean): Promise<number> {
    nonce++;
    const some = keys.slice(from, to);
    const items = await Promise.all(
      some.map(async (key, index): Promise<BatchItem> => {
        const calls: Operation['calls'] = [
          transferCall(chain.token, payees[from + index]!, 1_000_000n),
        ];
        const op = anOperation(chain, key, { calls, nonce });
        const signature = await sign(
          chain,
          { address: key.address, owners: [key], threshold: 1n, deployment: '0x' },
          op,
        );
        return { op, signature, deployment: '0x', gasLimit: 400_000n };
      }),
    );
    const authorize = some.map((key) =>
      key.signAuthorization({
        contractAddress: addresses.delegatedAccount,
        chainId: chain.chainId,
        nonce: 0,
      }),
    );
    const hash = await chain.client.sendTransaction({
      account: payer,
      to: addresses.batchExecutor,
      data: batchData(items),
      gas: 12_000_000n,
      ...(isFirst && { authorizationList: await Promise.all(authorize) }),
    });
    const receipt = await readReceipt(chain, hash);
    if (readExecuted(receipt).filter(({ success }) => success).length !== some.length)
      throw new Error('An operation of an account that was measured failed.');
    return Number(receipt.gasUsed / BigInt(some.length));
  }

  return {
    delegationAndFirstTransfer: await gasOf(0, 1, true),
    delegationAndFirstTransferInBatchOf20: await gasOf(1, 21, true),
    accountTransferInBatchOf20: await gasOf(1, 21, false),
  };
}
