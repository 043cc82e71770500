export interface EndpointLine {
  readonly id: string;
  readonly projectId: string;
  readonly url: string;
  readonly description?: string;
  readonly events?: readonly string[];
  readonly status: string;
  readonly disabledReason?: string;
  readonly failingSince?: string;
  readonly createdAt: string;
}

export interface DeliveryLine {
  readonly id: string;
  readonly endpointId: string;
  readonly eventType: string;
  readonly object: string;
  readonly kind: string;
  readonly status: string;
  readonly attemptCount: number;
  readonly createdAt: string;
}

export interface DeliveryAnswer extends Omit<DeliveryLine, 'attemptCount'> {
  readonly projectId: string;
  readonly attempts: readonly {
    readonly at: string;
    readonly statusCode?: number;
    readonly durationMs: number;
    readonly error?: string;
    readonly answer?: string;
  }[];
  readonly payload: unknown;
  readonly nextAttemptAt?: string;
}

export interface EventLine {
  readonly id: string;
  readonly projectId: string;
  readonly type: string;
  readonly object: string;
  readonly createdAt: string;
  readonly payload: unknown;
  readonly isChanged?: true;
}
