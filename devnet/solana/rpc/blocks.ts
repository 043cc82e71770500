import { z } from 'zod';
import type { Chain } from '../chain.ts';
import { slotsPerEpoch } from '../machine.ts';
import { blockhashAge } from '../slots.ts';
import {
  encodeAccounts,
  encodeTransaction,
  transactionEncodingSchema,
} from './encode-transaction.ts';
import { codes, RpcError } from './errors.ts';
import type { Methods } from './methods.ts';
import {
  addressSchema,
  apiVersion,
  blockViewOf,
  contextSchema,
  countSchema,
  inContext,
  readConfig,
  readParam,
  viewOf,
} from './params.ts';

const blocksMax = 500_000;
const feeBlocks = 150;
const feeAddressesMax = 128;
const samplesMax = 720;
const blockSchema = contextSchema.extend({
  encoding: transactionEncodingSchema.nullish(),
  transactionDetails: z.enum(['full', 'accounts', 'signatures', 'none']).nullish(),
  rewards: z.boolean().nullish(),
  maxSupportedTransactionVersion: countSchema.nullish(),
});
const hashSchema = z.string().max(44);

export const blockMethods: Methods = {
  getHealth: () => 'ok',
  getVersion: () => ({ 'solana-core': apiVersion, 'feature-set': 0 }),
  getGenesisHash: (chain) => chain.genesisHash,
  getIdentity: (chain) => ({ identity: chain.genesisHash }),
  getSlot: (chain, params) => viewOf(chain, readConfig(params, 0, contextSchema)).slot,
  getBlockHeight(chain, params) {
    const { slot } = viewOf(chain, readConfig(params, 0, contextSchema));
    return chain.slots.heightOf(slot) ?? 0;
  },
  getTransactionCount: (chain) => chain.history.size,
  getLatestBlockhash(chain, params) {
    const view = viewOf(chain, readConfig(params, 0, contextSchema));
    const lastValidBlockHeight = (chain.slots.heightOf(view.slot) ?? 0) + blockhashAge;
    return inContext(view, { blockhash: chain.blockhashOf(view.slot), lastValidBlockHeight });
  },
  isBlockhashValid(chain, params) {
    const blockhash = readParam(params, 0, hashSchema);
    const view = viewOf(chain, readConfig(params, 1, contextSchema));
    const head = { slot: view.slot, height: chain.slots.heightOf(view.slot) ?? 0 };
    return inContext(view, chain.heightOfBlockhash(blockhash, head) !== undefined);
  },
  getEpochInfo(chain, params) {
    const { slot } = viewOf(chain, readConfig(params, 0, contextSchema));
    return {
      absoluteSlot: slot,
      blockHeight: chain.slots.heightOf(slot) ?? 0,
      epoch: Math.floor(slot / slotsPerEpoch),
      slotIndex: slot % slotsPerEpoch,
      slotsInEpoch: slotsPerEpoch,
      transactionCount: chain.history.size,
    };
  },
  getEpochSchedule: () => ({
    slotsPerEpoch,
    leaderScheduleSlotOffset: slotsPerEpoch,
    warmup: false,
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
  }),
  getFirstAvailableBlock: firstBlock,
  minimumLedgerSlot: firstBlock,
  getBlock(chain, params) {
    const slot = readParam(params, 0, countSchema);
    const isName = typeof params[1] === 'string';
    const config = isName
      ? { encoding: readParam(params, 1, transactionEncodingSchema) }
      : readConfig(params, 1, blockSchema);
    return readBlock(chain, slot, config);
  },
  getBlockTime(chain, params) {
    const slot = readParam(params, 0, countSchema);
    checkBlock(chain, slot, chain.slotFor('confirmed'));
    return Math.floor(chain.slots.timeOf(slot)! / 1000);
  },
  getBlocks(chain, params) {
    const from = readParam(params, 0, countSchema);
    const hasEnd = typeof params[1] === 'number';
    const end = hasEnd ? readParam(params, 1, countSchema) : undefined;
    const view = blockViewOf(
      chain,
      readConfig(params, hasEnd || params[1] === null ? 2 : 1, contextSchema),
    );
    if (end !== undefined && end - from > blocksMax)
      throw new RpcError(codes.invalidParams, `Slot range too large; max ${blocksMax}`);
    return chain.slots.blocks({
      from: Math.max(from, firstBlock(chain)),
      upTo: Math.min(end ?? from + blocksMax, view.slot),
      limit: blocksMax,
    });
  },
  getBlocksWithLimit(chain, params) {
    const from = readParam(params, 0, countSchema);
    const limit = readParam(
      params,
      1,
      countSchema.max(blocksMax, `Limit too large; max ${blocksMax}`),
    );
    const view = blockViewOf(chain, readConfig(params, 2, contextSchema));
    return chain.slots.blocks({ from: Math.max(from, firstBlock(chain)), upTo: view.slot, limit });
  },
  getRecentPrioritizationFees(chain, params) {
    const addresses =
      readParam(
        params,
        0,
        z
          .array(addressSchema)
          .max(feeAddressesMax, `Too many inputs provided; max ${feeAddressesMax}`)
          .nullish(),
      ) ?? [];
    const { height } = chain.head();
    const slots = Array.from({ length: Math.min(feeBlocks, height) }, (_, index) =>
      chain.slots.slotAt(height - index),
    ).filter((slot) => slot !== undefined);
    return slots
      .toReversed()
      .map((slot) => ({ slot, prioritizationFee: lowestFee(chain, slot, addresses) }));
  },
  getRecentPerformanceSamples(chain, params) {
    const limit =
      readParam(
        params,
        0,
        countSchema.max(samplesMax, `Invalid limit; max ${samplesMax}`).nullish(),
      ) ?? samplesMax;
    const { slot } = chain.head();
    const numSlots = Math.round(60_000 / chain.slots.slotMs);
    return limit === 0
      ? []
      : [
          {
            slot,
            numTransactions: chain.history.size,
            numNonVoteTransactions: chain.history.size,
            numSlots,
            samplePeriodSecs: 60,
          },
        ];
  },
};

function firstBlock(chain: Chain): number {
  return Math.max(chain.slots.first(), chain.history.forgottenUpTo + 1);
}

/** @throws RpcError when there is no such block */
function checkBlock(chain: Chain, slot: number, newest: number): void {
  if (slot > newest)
    throw new RpcError(codes.blockNotAvailable, `Block not available for slot ${slot}`);
  const first = firstBlock(chain);
  if (slot < first)
    throw new RpcError(
      codes.blockCleanedUp,
      `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`,
    );
  if (chain.slots.heightOf(slot) === undefined)
    throw new RpcError(
      codes.slotSkipped,
      `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
    );
}

function readBlock(chain: Chain, slot: number, config: z.infer<typeof blockSchema>) {
  checkBlock(chain, slot, blockViewOf(chain, config).slot);
  const details = config.transactionDetails ?? 'full';
  const list = chain.history.atSlot(slot);
  const parentSlot = chain.slots.parentOf(slot);
  return {
    blockhash: chain.blockhashOf(slot),
    previousBlockhash: chain.blockhashOf(parentSlot),
    parentSlot,
    blockHeight: chain.slots.heightOf(slot),
    blockTime: Math.floor(chain.slots.timeOf(slot)! / 1000),
    ...(config.rewards === false ? {} : { rewards: [] }),
    ...(details === 'full'
      ? { transactions: list.map((one) => encodeTransaction(one, config)) }
      : {}),
    ...(details === 'accounts'
      ? { transactions: list.map((one) => encodeAccounts(one, config)) }
      : {}),
    ...(details === 'signatures' ? { signatures: list.map(({ signature }) => signature) } : {}),
  };
}

function lowestFee(chain: Chain, slot: number, addresses: readonly string[]): bigint {
  const meant = chain.history
    .atSlot(slot)
    .filter(({ writableKeys }) => addresses.every((address) => writableKeys.includes(address)));
  const [first = 0n, ...others] = meant.map(({ unitPrice }) => BigInt(unitPrice));
  return others.reduce((least, fee) => (fee < least ? fee : least), first);
}
