import { randomBytes } from 'node:crypto';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import type { PreparedOperation, PrepareOperationInput, TransferIntent } from '../../family.ts';
import { shortAddress } from '../encoding/addresses.ts';
import {
  decodeRaw,
  encodeOrderless,
  type OrderlessInput,
  signedTransaction,
} from '../encoding/transactions.ts';
import { type AptosNode, refusedByNode } from '../rpc/node.ts';
import { RestRefusal } from '../rpc/rest.ts';
import { assetName, isApt, readAsset } from '../tokens/assets.ts';
import type { AptosTokens } from '../tokens/tokens.ts';
import { readAmount } from '../tokens/views.ts';
import { readPlainTransfer } from './calls.ts';
import { type Movement, movementsOf, sumMovements } from './movements.ts';
import { type Executed, executedSchema, executionError } from './outcome.ts';
import { readParams } from './params.ts';
import { storeOperation } from './stored.ts';

export interface PrepareDeps {
  readonly connect: () => Promise<AptosNode>;
  readonly tokens: AptosTokens;
  readonly ceilings: GasCeilings;
}

/** The most that one operation may cost, whatever a node says. */
export interface GasCeilings {
  readonly gasAmountMax: bigint;
  /** In octas. */
  readonly gasUnitPriceMax: bigint;
}

/**
 * How far ahead operations expire. The network takes orderless transactions of at most 60 s; the
 * rest is for clocks that differ. It is also for how long an operation lives: see
 * docs/decisions/0052-aptos.md.
 */
export const lifetimeS = 50;
const noBytes = new Uint8Array(64);
const nobody = `0x${'0'.repeat(64)}`;
const priceSchema = z.object({ gas_estimate: z.int().min(1).max(1e12) });

/** As `Operations.prepareOperation`: bound to a nonce and an expiry, simulated, priced. */
export async function prepareAptosOperation(
  deps: PrepareDeps,
  input: PrepareOperationInput,
): Promise<PreparedOperation> {
  const { wallet, now, transfer } = input;
  const node = await deps.connect();
  const { network } = node;
  const { call, params } = readParams(network, wallet.address, input.params);
  const publicKey = hexToBytes(z.object({ publicKey: z.string() }).parse(wallet.setup).publicKey);
  const expirationSeconds = BigInt(Math.floor(now.getTime() / 1000) + lifetimeS);
  const planned: OrderlessInput = {
    sender: wallet.address,
    call,
    nonce: randomBytes(8).readBigUInt64LE(),
    maxGasAmount: deps.ceilings.gasAmountMax,
    gasUnitPrice: await readPrice(node, deps.ceilings),
    expirationSeconds,
    chainId: network.networkId,
  };
  const executed = await simulate(node, publicKey, encodeOrderless(planned));
  if (!executed.success) throw await explain(node, executed, transfer);
  const movements = movementsOf(executed);
  const maxGasAmount = gasLimit(executed.gas_used, deps.ceilings);
  const rawBytes = encodeOrderless({ ...planned, maxGasAmount });
  const transaction = Buffer.from(rawBytes).toString('base64');
  const own = sumMovements(movements).filter(({ owner }) => owner === wallet.address);
  return {
    chain: network.name,
    params,
    operation: storeOperation({ chain: network.name, publicKey, rawBytes }),
    onChain: { transaction },
    message: transaction,
    validUntil: new Date(Number(expirationSeconds) * 1000),
    feesEstimate: {
      gas: executed.gas_used.toString(),
      gasUnitPriceOctas: planned.gasUnitPrice.toString(),
      amountOctas: (executed.gas_used * planned.gasUnitPrice).toString(),
      token: network.native.symbol,
    },
    preview: {
      balanceChanges: await nameChanges(deps.tokens, network.name, own),
      gas: executed.gas_used.toString(),
      sponsored: true,
    },
    counterparties: counterpartiesOf({ wallet: wallet.address, movements, call }),
  };
}

export async function readPrice(
  node: AptosNode,
  { gasUnitPriceMax }: GasCeilings,
): Promise<bigint> {
  const { value } = await node.get('/estimate_gas_price', priceSchema).catch((error: unknown) => {
    throw refusedByNode(error, node.network);
  });
  const price = BigInt(value.gas_estimate);
  return price < gasUnitPriceMax ? price : gasUnitPriceMax;
}

/**
 * With nobody who pays, as the network allows where nothing is sent.
 * @throws transaction-simulation-failed
 */
async function simulate(
  node: AptosNode,
  publicKey: Uint8Array,
  rawBytes: Uint8Array,
): Promise<Executed> {
  const bytes = signedTransaction
    .serialize({
      raw: decodeRaw(rawBytes),
      authenticator: {
        feePayer: {
          sender: { ed25519: { publicKey, signature: noBytes } },
          secondaryAddresses: [],
          secondary: [],
          feePayerAddress: nobody,
          feePayer: { none: true },
        },
      },
    })
    .toBytes();
  try {
    return (await node.post('/transactions/simulate', bytes, z.tuple([executedSchema]))).value[0];
  } catch (error) {
    if (error instanceof RestRefusal && error.status < 500) throw simulationFailed(error.message);
    throw refusedByNode(error, node.network);
  }
}

function simulationFailed(vmStatus: string): ServiceError {
  const error = executionError(vmStatus);
  return new ServiceError('transaction-simulation-failed', {
    message: error.message,
    details: { error, message: error.message },
  });
}

/** Too little of what is sent is told as such. */
async function explain(
  node: AptosNode,
  { vm_status: status }: Executed,
  transfer: TransferIntent | undefined,
): Promise<ServiceError> {
  if (!transfer) return simulationFailed(status);
  const { wallet, token, amountMinor } = transfer;
  const has = (await readAmount(node, wallet.address, readAsset(token.address))) ?? 0n;
  if (has >= amountMinor) return simulationFailed(status);
  const format = (amount: bigint) =>
    `${formatAmount(amount, token.decimals)} ${token.symbol ?? token.address ?? ''}`;
  return new ServiceError('insufficient-balance', {
    message: `The wallet has ${format(has)} on "${token.chain}", the transfer needs ${format(amountMinor)}.`,
  });
}

/** Half as much again as was used: what is called may cost more when its turn comes. */
function gasLimit(used: bigint, { gasAmountMax }: GasCeilings): bigint {
  const limit = (used * 3n) / 2n + 10n;
  return limit < gasAmountMax ? limit : gasAmountMax;
}

const changesMax = 50;

async function nameChanges(
  tokens: AptosTokens,
  chain: string,
  movements: readonly Movement[],
): Promise<JsonObject[]> {
  return Promise.all(
    movements.slice(0, changesMax).map(async ({ asset, deltaMinor }): Promise<JsonObject> => {
      const rawAmount = deltaMinor.toString();
      const token = await tokens
        .resolve(isApt(asset) ? { symbol: 'apt' } : { address: assetName(asset) })
        .catch((error: unknown) => {
          // One that the transaction itself makes is not there yet.
          if (error instanceof ServiceError && error.code === 'token-not-supported')
            return undefined;
          throw error;
        });
      if (!token) return { token: `${chain}:${assetName(asset)}`, rawAmount };
      const listed =
        token.symbol === undefined
          ? token
          : await tokens.resolve({ symbol: token.symbol }).catch(() => token);
      const named = listed.address === token.address ? listed : token;
      return {
        token: named.locator,
        symbol: named.symbol,
        decimals: named.decimals,
        amount: formatAmount(deltaMinor, named.decimals),
        rawAmount,
      };
    }),
  );
}

interface Called {
  readonly wallet: string;
  readonly movements: readonly Movement[];
  readonly call: OrderlessInput['call'];
}

/**
 * Who gets something, who is named, since what is given away need not be money, and the module that
 * decides who does, unless it is the framework's.
 */
function counterpartiesOf({ wallet, movements, call }: Called): string[] {
  const plain = readPlainTransfer(call);
  const named = plain ? [plain.recipient] : call.args.flatMap(addressIn);
  const receivers = movements.filter(({ deltaMinor }) => deltaMinor > 0n).map(({ owner }) => owner);
  const module = /^0x[0-9a-f]$/.test(shortAddress(call.address)) ? [] : call.address;
  return [...new Set([named, receivers, module].flat())].filter((address) => address !== wallet);
}

/** Bytes do not say what they are: 32 may be an address. */
const addressIn = (bytes: Uint8Array): string[] =>
  bytes.length === 32 ? [`0x${bytesToHex(bytes)}`] : [];
