import { expect, it } from 'vitest';
import { explorerLinkOf, solanaNetwork } from './networks.ts';

it.each([
  ['mainnet', 'production', 'https://explorer.solana.com/tx/5uh'],
  ['devnet', 'staging', 'https://explorer.solana.com/tx/5uh?cluster=devnet'],
  ['local', 'development', undefined],
] as const)(
  'a transaction on %s, the cluster of %s, is shown by an explorer at %s',
  (cluster, environment, link) => {
    const network = solanaNetwork(environment);
    expect(network.cluster).toBe(cluster);
    expect(explorerLinkOf(network, '5uh')).toBe(link);
  },
);
