import type { Json, JsonObject } from '../../lib/json/json.ts';
import type { RunStep, UserActionRequest } from '../../runner/types.ts';
import type { AgentCheckoutStatus } from './machine.ts';
import type { CreateAgentCheckoutBody } from './schema.ts';

/** Whether the shop has the order. `unknown` keeps the item locked until somebody decides. */
export type CheckoutOutcome = 'placed' | 'not-placed' | 'unknown';

export interface CheckoutRecord {
  readonly id: string;
  readonly projectId: string;
  readonly userId: string;
  readonly status: AgentCheckoutStatus;
  readonly target: CreateAgentCheckoutBody['target'];
  readonly constraints: CreateAgentCheckoutBody['constraints'];
  readonly metadata?: { readonly [key: string]: Json };
  readonly buyerProfileId?: string;
  readonly browserProfileId?: string;
  readonly profileVersion?: number;
  readonly itemKey: Buffer;
  readonly step: RunStep;
  readonly fence: bigint;
  readonly tries: number;
  /**
   * Where the live picture of the run is, inside our network; absent before its first runner, and
   * without one.
   */
  readonly liveOrigin?: string;
  readonly armedAt?: Date;
  readonly outcome?: CheckoutOutcome;
  readonly cancelAskedAt?: Date;
  readonly receipt?: JsonObject;
  readonly failure?: JsonObject;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly endedAt?: Date;
  /** Its row is not as it was sealed: nothing is bought for it. */
  readonly sealProblem?: string;
}

export interface ProgressItem {
  readonly type: string;
  readonly title?: string;
  readonly message?: string;
  readonly createdAt: Date;
}

export type ActionStatus = 'open' | 'submitted' | 'declined' | 'expired' | 'superseded';

export interface ActionRecord {
  readonly id: string;
  readonly checkoutId: string;
  readonly request: UserActionRequest;
  readonly message: string;
  readonly responseSchema: JsonObject;
  readonly status: ActionStatus;
  readonly answerHash?: Buffer;
  readonly sealedAnswer?: Buffer;
  readonly answeredAt?: Date;
  readonly takenAt?: Date;
  /** Fence of the hold that has taken the answer. */
  readonly takenBy?: bigint;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}
