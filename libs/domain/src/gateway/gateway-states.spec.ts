import { GATEWAY_STATES, type GatewayStateFacts, isInState, shownState } from './gateway-states';

const FRESH: GatewayStateFacts = {
  ...{ isDisabled: false, isPaused: false, failures: 0, isHeld: false, hasList: true, isFresh: true, isOverdue: false },
};
const OLD = { isFresh: false, isOverdue: true };

describe('gateway states', () => {
  it.each<[string, Partial<GatewayStateFacts>, string]>([
    ['fresh', {}, 'active fresh'],
    ['stale', { isFresh: false }, 'active stale'],
    ['stale', OLD, 'active overdue stale'],
    ['never', { hasList: false, isFresh: false }, 'active never'],
    ['failing', { failures: 2 }, 'active failing fresh'],
    ['failing', { failures: 1, isHeld: true, ...OLD }, 'active overdue failing held stale'],
    ['held', { isHeld: true }, 'active held fresh'],
    ['paused', { isPaused: true, ...OLD }, 'stale paused'],
    ['failing', { isPaused: true, failures: 1 }, 'failing fresh paused'],
    ['never', { isPaused: true, hasList: false, isFresh: false }, 'never paused'],
    ['disabled', { isDisabled: true, isPaused: true, failures: 1, isHeld: true, ...OLD }, 'disabled'],
  ])('shows %s for %j', (shown, own, all) => {
    const gateway = { ...FRESH, ...own };
    expect(shownState(gateway)).toBe(shown);
    expect(GATEWAY_STATES.filter((state) => isInState(gateway, state)).join(' ')).toBe(all);
  });
});
