import type { Ctx } from '../../context.ts';
import type { Db, Tx } from '../../store/types.ts';

/** Resolution of what the operator put into a treasury. */
export const operatorFunds = 'operator-funds';

export interface ExpectedFunds {
  readonly id: string;
  readonly chain: string;
  /** Canonical, as the token's. */
  readonly recipient: string;
  readonly tokenAddress: string;
  readonly amountMinor: bigint;
}

/** More open at once are not looked at. */
const expectedMax = 1_000;

/**
 * The operator is about to put test money into a treasury: the first deposit of that amount without
 * a memo is no payer's. Where money is worth something, a payer of the same amount could be taken
 * for the operator: only for test networks.
 */
export async function expectOperatorFunds(
  ctx: Pick<Ctx, 'ids' | 'clock'>,
  db: Db,
  funds: Omit<ExpectedFunds, 'id'>,
): Promise<void> {
  await db.query({
    name: 'deposits-expect-operator-funds',
    text: `insert into deposit_operator_funds (id, chain, recipient, token_address, amount_minor, created_at) values ($1, $2, $3, $4, $5, $6)`,
    values: [
      ctx.ids.uuid(),
      funds.chain,
      funds.recipient,
      funds.tokenAddress,
      funds.amountMinor.toString(),
      ctx.clock.now(),
    ],
  });
}

/** What is expected for these recipients, locked, oldest first. */
export async function lockExpectedFunds(
  tx: Tx,
  input: { chain: string; recipients: readonly string[] },
): Promise<ExpectedFunds[]> {
  const { rows } = await tx.query<{
    id: string;
    chain: string;
    recipient: string;
    token_address: string;
    amount_minor: string;
  }>({
    name: 'deposits-lock-operator-funds',
    text: `select id, chain, recipient, token_address, amount_minor from deposit_operator_funds
      where chain = $1 and recipient = any($2::text[]) and deposit_id is null order by created_at limit ${expectedMax} for update`,
    values: [input.chain, input.recipients],
  });
  return rows.map((row) => ({
    id: row.id,
    chain: row.chain,
    recipient: row.recipient,
    tokenAddress: row.token_address,
    amountMinor: BigInt(row.amount_minor),
  }));
}

export async function closeExpectedFunds(
  tx: Tx,
  input: { id: string; depositId: string },
): Promise<void> {
  await tx.query({
    name: 'deposits-close-operator-funds',
    text: 'update deposit_operator_funds set deposit_id = $2 where id = $1',
    values: [input.id, input.depositId],
  });
}
