export { openTraces } from './open-traces';
export { NO_TRACES, RunSteps, type Span, type Step, type Traces } from './traces';
