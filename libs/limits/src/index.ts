export { type Counted } from './minute-counts';
export { Counts } from './counts';
export { networkOf, Networks, subnetOf } from './network';
export { SharedCounts } from './shared-counts';
export { CountedLine } from './counted-line';
export { inTime } from './in-time';
