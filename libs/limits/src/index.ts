export { type Counted } from './minute-counts';
export { Counts } from './counts';
export { networkOf } from './network';
export { SharedCounts } from './shared-counts';
export { CountedLine } from './counted-line';
export { Networks } from './networks';
