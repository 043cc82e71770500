import type { Caller } from '../../context.ts';

type KeyKind = Caller['keyKind'];

/** Which kinds of keys may carry a scope (supplement, section 3). */
export const scopeTable = {
  'wallets.create': ['server', 'client'],
  'wallets.read': ['server', 'client'],
  'wallets.fund': ['server', 'client'],
  'wallets:balance.read': ['server', 'client'],
  'wallets:nfts.read': ['server', 'client'],
  'wallets:transactions.create': ['server', 'client'],
  'wallets:transactions.read': ['server', 'client'],
  'wallets:transactions.sign': ['server', 'client'],
  'wallets:signatures.create': ['server', 'client'],
  'wallets:signatures.read': ['server', 'client'],
  'wallets:nfts.transfer': ['server'],
  'wallets:messages.sign': ['server'],
  'users.create': ['server', 'client'],
  'users.read': ['server', 'client'],
  orders: ['server'],
  'orders.create': ['server', 'client'],
  'orders.read': ['server'],
  'orders.update': ['server'],
  'payment-methods': ['server'],
  'webhooks.create': ['server'],
  'webhooks.read': ['server'],
  'webhooks.update': ['server'],
  'webhooks.delete': ['server'],
  'agent-checkouts.create': ['client'],
  'agent-checkouts.read': ['client'],
  'agent-checkouts.update': ['client'],
  'agent-checkouts.cancel': ['client'],
  'agent-checkouts.buyer-profiles.create': ['client'],
  'agent-checkouts.buyer-profiles.read': ['client'],
  'agent-checkouts.buyer-profiles.update': ['client'],
  'agent-checkouts.buyer-profiles.delete': ['client'],
  'agent-checkouts.browser-profiles.create': ['client'],
  'agent-checkouts.browser-profiles.read': ['client'],
  'agent-checkouts.browser-profiles.update': ['client'],
  'agent-checkouts.browser-profiles.delete': ['client'],
} as const satisfies Record<string, readonly KeyKind[]>;

export type Scope = keyof typeof scopeTable;

export const allScopes = Object.keys(scopeTable) as Scope[];

/** True when the word is a scope that a key of this kind may carry. */
export function isScopeOf(kind: KeyKind, scope: string): scope is Scope {
  return (
    Object.hasOwn(scopeTable, scope) &&
    (scopeTable[scope as Scope] as readonly KeyKind[]).includes(kind)
  );
}

/** Every scope a key of this kind may carry. */
export function scopesOf(kind: KeyKind): Scope[] {
  return allScopes.filter((scope) => isScopeOf(kind, scope));
}

/** A key's scopes as they are checked: `orders` stands for its three. */
export function expandScopes(scopes: readonly string[]): ReadonlySet<string> {
  const expanded = new Set(scopes);
  if (expanded.has('orders'))
    for (const scope of ['orders.create', 'orders.read', 'orders.update']) expanded.add(scope);
  return expanded;
}
