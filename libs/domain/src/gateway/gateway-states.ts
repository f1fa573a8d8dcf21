/** The states that a badge shows, from the worst to those that need no attention. */
export const SHOWN_STATES = ['failing', 'held', 'never', 'stale', 'fresh', 'paused', 'disabled'] as const;
export type ShownState = (typeof SHOWN_STATES)[number];

/**
 * The words about gateways, each with one meaning in the console, on the command line, in the API and in metrics. A
 * gateway can be in several states; a disabled one is in no other.
 */
export const GATEWAY_STATES = ['active', 'overdue', ...SHOWN_STATES] as const;
export type GatewayState = (typeof GATEWAY_STATES)[number];

export interface GatewayStateFacts {
  /** An operator has disabled it, or its contract has ended. */
  isDisabled: boolean;
  isPaused: boolean;
  /** Failed runs in a row. */
  failures: number;
  /** A run waits for a decision. */
  isHeld: boolean;
  /** A list was published. */
  hasList: boolean;
  /** The list was confirmed within `SNAPSHOT_TTL_SECONDS`. */
  isFresh: boolean;
  /** The list was last confirmed more than three periods ago. */
  isOverdue: boolean;
}

export function isInState(gateway: GatewayStateFacts, state: GatewayState): boolean {
  if (gateway.isDisabled) return state === 'disabled';
  switch (state) {
    case 'active':
      return !gateway.isPaused;
    case 'failing':
      return gateway.failures > 0;
    case 'held':
      return gateway.isHeld;
    case 'never':
      return !gateway.hasList;
    case 'stale':
      return gateway.hasList && !gateway.isFresh;
    case 'fresh':
      return gateway.hasList && gateway.isFresh;
    case 'overdue':
      // A paused gateway is not due.
      return gateway.isOverdue && !gateway.isPaused;
    case 'paused':
      return gateway.isPaused;
    case 'disabled':
      return false;
  }
}

const BY_PRECEDENCE = ['disabled', 'failing', 'held', 'never', 'paused', 'stale'] as const;

/** The state to show where only one is shown. */
export function shownState(gateway: GatewayStateFacts): ShownState {
  return BY_PRECEDENCE.find((state) => isInState(gateway, state)) ?? 'fresh';
}
