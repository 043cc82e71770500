/**
 * The routes of the console; everything that they answer may hold text of others, and is shown as
 * text.
 */

export interface Money {
  readonly amount: string;
  readonly currency: string;
}

export interface Decision {
  readonly rule: string;
  readonly label: string;
  readonly effect: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly asks?: readonly {
    readonly name: string;
    readonly label: string;
    readonly optional?: boolean;
  }[];
}

export interface InboxItem {
  readonly kind: string;
  readonly id: string;
  readonly projectId: string;
  readonly since: string;
  readonly deadlineAt?: string;
  readonly title: string;
  readonly reason: string;
  readonly amount?: Money;
  readonly orderId?: string;
  readonly decisions: readonly Decision[];
  readonly command: string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

export type Role = 'viewer' | 'support' | 'finance' | 'admin';
export const roles: readonly Role[] = ['viewer', 'support', 'finance', 'admin'];

export interface Me {
  readonly id: string;
  readonly name: string;
  readonly console: string;
  readonly environment: string;
  readonly now: string;
  readonly sessionExpiresAt: string;
  readonly isAdmin: boolean;
  /** Has a role in every project, and so may look at the instance as a whole. */
  readonly seesWhole: boolean;
  readonly passkeys: readonly { readonly id: string; readonly transports: readonly string[] }[];
  readonly projects: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
  readonly rules: Readonly<Record<string, Role>>;
  readonly eventTypes: readonly string[];
}

export interface AuditLine {
  readonly seq: string;
  readonly at: string;
  readonly actor:
    | { readonly kind: 'operator'; readonly name: string; readonly role: string }
    | { readonly kind: 'command-line'; readonly osUser: string; readonly host: string };
  readonly action: string;
  readonly outcome: string;
  readonly projectId?: string;
  readonly subject?: string;
  readonly reason: string;
  readonly changed: Readonly<Record<string, unknown>>;
}

export interface OperatorLine {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly roles: Readonly<Record<string, Role>>;
  readonly createdAt: string;
  readonly passkeys: readonly string[];
  readonly sessions: number;
  readonly invitedUntil?: string;
}
