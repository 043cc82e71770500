import type { Db } from '../../../store/types.ts';
import type { Tokens } from '../../family.ts';
import type { EvmConnections } from '../rpc/connections.ts';
import { selectFinalHeight } from '../watcher/index.ts';
import { readBalancesAt } from './balances.ts';

/** As {@link Tokens.readFinalBalances}: of the first node, and what the second one has instead. */
export async function readEvmFinalBalances(
  { store, connections }: { readonly store: Db; readonly connections: EvmConnections },
  { chain, address, tokens }: Parameters<Tokens['readFinalBalances']>[0],
): ReturnType<Tokens['readFinalBalances']> {
  const { name } = connections.requireNetwork(chain);
  const height = await selectFinalHeight(store, name);
  if (height === undefined) return undefined;
  const second = await connections.connectSecond(name);
  const asked = { address, tokens, height };
  const [amounts, others] = await Promise.all([
    connections.connect(name).then((connection) => readBalancesAt(connection, asked)),
    second && readBalancesAt(second.connection, asked),
  ]);
  const balances = tokens.flatMap((token, at) =>
    amounts[at] === undefined ? [] : [{ token, amountMinor: amounts[at] }],
  );
  const denied = others
    ? tokens.flatMap((token, at) =>
        others[at] === amounts[at] ? [] : [{ token, amountMinor: others[at] }],
      )
    : [];
  return { height, balances, denied };
}
