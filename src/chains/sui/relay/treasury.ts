import { bcs } from '@mysten/sui/bcs';
import { normalizeSuiAddress } from '@mysten/sui/utils';
import type { Store } from '../../../store/types.ts';
import type { MintNetwork } from '../../family/funding/run-mints.ts';
import { hasSentMint, type MintRequest } from '../../family/funding/store.ts';
import type { SentBytes, SentBytesNetwork } from '../../family/nodes/sent-bytes.ts';
import { hasOpenTopUp, type TopUpNetwork } from '../../family/spending/top-ups.ts';
import { suiCoinType } from '../config/networks.ts';
import { costOf, readFate } from '../operation/fate.ts';
import type { CallArg, ObjectRef, Program } from '../operation/program.ts';
import { decodeSigned } from '../operation/transaction.ts';
import type { SuiConnection } from '../rpc/connections.ts';
import { type Coin, readCoins, readTreasuryCap } from '../rpc/objects.ts';
import { sendTransaction } from '../rpc/transactions.ts';
import type { SigningAccount } from './keys.ts';
import { upkeepLimits } from './limits.ts';
import { signOwn, splitProgram } from './own/own.ts';

export interface TreasuryDeps {
  readonly store: Store;
  readonly chain: string;
  readonly connect: () => Promise<SuiConnection>;
  readonly account: SigningAccount;
  /** In MIST for a unit of computation. */
  readonly priceMax: bigint;
}

export interface Treasury {
  /** Undefined while test tokens are minted: both take the same coins. */
  topUps(): Promise<TopUpNetwork | undefined>;
  readonly mints: MintNetwork;
}

/**
 * What the treasury signs. Its transactions name versions and an epoch by themselves: there is no
 * mark beside them.
 */
export function createTreasury(deps: TreasuryDeps): Treasury {
  const { store, chain, connect, account } = deps;
  const sent = sentBytes(connect);
  async function sign(
    program: (connection: SuiConnection) => Promise<Program>,
  ): Promise<SentBytes> {
    const connection = await connect();
    const payment = largest(
      await readCoins(connection, { owner: account.address, coinType: suiCoinType }),
    );
    const { digest: txId, raw } = await signOwn(deps, connection, {
      account,
      payment,
      program: await program(connection),
    });
    return { txId, raw, mark: '' };
  }
  const topUps: TopUpNetwork = {
    ...sent,
    address: account.address,
    receiversMax: 20,
    sign: (receivers, amount) =>
      sign(async () => splitProgram(receivers.map((recipient) => ({ amount, recipient })))),
  };
  return {
    topUps: async () =>
      (await hasSentMint(store, chain)) && !(await hasOpenTopUp(store, chain)) ? undefined : topUps,
    mints: {
      ...sent,
      async sign(mint) {
        if (await hasOpenTopUp(store, chain)) throw new Error('the treasury tops up fee payers');
        return sign(async (connection) => {
          const cap = await readTreasuryCap(connection, {
            owner: account.address,
            coinType: mint.token,
          });
          if (!cap) throw new Error(`the treasury has no cap of ${mint.token}`);
          return mintProgram(cap, mint);
        });
      },
    },
  };
}

/** The largest coins of an account, as far as one transaction joins them. */
export function largest(coins: readonly Coin[]): Coin[] {
  return coins
    .toSorted((one, other) => (one.amount < other.amount ? 1 : -1))
    .slice(0, upkeepLimits.joinedMax);
}

function sentBytes(connect: () => Promise<SuiConnection>): SentBytesNetwork {
  return {
    async send(raw) {
      const done = await sendTransaction(await connect(), decodeSigned(raw));
      if ('refusal' in done) throw new Error(`The node does not take it: ${done.refusal}`);
    },
    async look({ raw }) {
      const fate = await readFate(await connect(), decodeSigned(raw));
      if (fate === 'pending') return 'pending';
      if ('never' in fate) return 'gone';
      const costMinor = costOf(fate.gas);
      return fate.failure === undefined ? { costMinor } : { costMinor, failed: fate.failure };
    },
  };
}

function mintProgram(
  { objectId, version, digest }: ObjectRef,
  { token, amountMinor, recipient }: MintRequest,
): Program {
  const pure = (bytes: Uint8Array): CallArg => ({
    $kind: 'Pure',
    Pure: { bytes: Buffer.from(bytes).toString('base64') },
  });
  return {
    inputs: [
      {
        $kind: 'Object',
        Object: { $kind: 'ImmOrOwnedObject', ImmOrOwnedObject: { objectId, version, digest } },
      },
      pure(bcs.U64.serialize(amountMinor).toBytes()),
      pure(bcs.Address.serialize(recipient).toBytes()),
    ],
    commands: [
      {
        $kind: 'MoveCall',
        MoveCall: {
          package: normalizeSuiAddress('0x2'),
          module: 'coin',
          function: 'mint_and_transfer',
          typeArguments: [token],
          arguments: [0, 1, 2].map((index) => ({ $kind: 'Input' as const, Input: index })),
        },
      },
    ],
  };
}
