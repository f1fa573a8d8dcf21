export { type Counted } from './minute-counts';
export { Counts } from './counts';
export { networkOf, Networks, subnetOf } from './network';
export { SharedCounts } from './shared-counts';
export { ThrottledLogger } from './throttled-logger';
export { inTime } from './in-time';
