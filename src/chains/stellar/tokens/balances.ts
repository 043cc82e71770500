import { Address, Asset, scValToBigInt, type xdr } from '@stellar/stellar-sdk/base';
import { ServiceError } from '../../../lib/errors.ts';
import type { AmountsAt } from '../../family/proofs/final-balances.ts';
import type { ResolvedToken, TokenBalance } from '../../family.ts';
import { readEntries, readLatestLedger } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import { balanceKey, balanceOf } from './assets.ts';
import type { StellarTokens } from './tokens.ts';
import { readView } from './views.ts';

export interface BalancesInput {
  readonly connection: StellarConnection;
  readonly tokens: Pick<StellarTokens, 'describe'>;
  readonly address: string;
  readonly asked: readonly ResolvedToken[];
}

const viewsAtOnce = 8;

/**
 * As `Tokens.readBalances`: one call for assets, whoever holds them, and one for each token that is
 * a contract of its own.
 */
export async function readStellarBalances(input: BalancesInput): Promise<TokenBalance[]> {
  const { amounts } = await readStellarAmounts(input);
  return input.asked.map((token, index) => {
    const amountMinor = amounts[index];
    if (amountMinor === undefined)
      throw new ServiceError('token-not-supported', {
        message: `There is no token at ${token.address} on "${token.chain}".`,
      });
    return { token, amountMinor };
  });
}

/**
 * In the order asked, all of one ledger where `height` is given: what closed ledgers say is final.
 */
export async function readStellarAmounts({
  connection,
  tokens,
  address,
  asked,
}: BalancesInput): Promise<AmountsAt> {
  const contracts = asked.map((token) => token.address ?? connection.network.nativeContract);
  const facts = await describeAll({ connection, tokens, contracts });
  const keys = contracts.map((contract) => {
    const asset = facts.get(contract);
    return asset && balanceKey({ asset, contract, holder: address });
  });
  const ledgers: number[] = [];
  const amounts: (bigint | undefined)[] = [];
  const known = keys.filter((key): key is xdr.LedgerKey => key !== undefined);
  if (known.length > 0) {
    const { entries, latestLedger } = await readEntries(connection, known);
    ledgers.push(latestLedger);
    for (const [index, key] of keys.entries())
      if (key) amounts[index] = balanceOf(entries[known.indexOf(key)]?.data);
  }
  const others = contracts.flatMap((contract, index) => (keys[index] ? [] : [{ contract, index }]));
  for (let at = 0; at < others.length; at += viewsAtOnce) {
    const read = async ({ contract, index }: (typeof others)[number]) => {
      const told = await readView(connection, {
        contract,
        method: 'balance',
        args: [new Address(address).toScVal()],
      });
      if (told) ledgers.push(told.latestLedger);
      amounts[index] = told && amountOf(told.value);
    };
    await Promise.all(others.slice(at, at + viewsAtOnce).map(read));
  }
  if (ledgers.length === 0) ledgers.push((await readLatestLedger(connection)).sequence);
  const [ledger, ...rest] = new Set(ledgers);
  return {
    height: rest.length > 0 ? undefined : BigInt(ledger!),
    amounts: contracts.map((_, index) => amounts[index]),
  };
}

/** The assets among them; lumens are known without a node. */
async function describeAll({
  connection,
  tokens,
  contracts,
}: Pick<BalancesInput, 'connection' | 'tokens'> & { contracts: string[] }) {
  const { nativeContract } = connection.network;
  const told = await tokens.describe(
    connection,
    contracts.filter((contract) => contract !== nativeContract),
  );
  const assets = new Map(
    [...told].flatMap(([contract, { asset }]) => (asset ? [[contract, asset] as const] : [])),
  );
  return assets.set(nativeContract, Asset.native());
}

function amountOf(value: xdr.ScVal): bigint | undefined {
  if (value.type !== 'scvI128') return undefined;
  const amount = scValToBigInt(value);
  return amount < 0n ? undefined : amount;
}
