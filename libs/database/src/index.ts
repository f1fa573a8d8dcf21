export { Database } from './database';
export type { DatabaseOptions } from './data-source';
export {
  GatewayExists,
  type GatewayChange,
  type GatewayDetails,
  type IngestGateway,
  type NewGateway,
} from './gateway/gateways';
export type { ServedGateway } from './gateway/served-gateways';
export type { ListingFormat } from './listing/served-listings';
export type { Notifications } from './notifications';
export type { NewReport, ReportStatus } from './report/reports';
export type { ConnectorFigures } from './run/figures';
export type { ListingTrace, TracedRejection } from './run/why';
export type { ClaimedRun, RunEnding } from './run/runs';
export type { HeldVersion } from './snapshot/current-snapshot';
export { PublishRefused, RunCancelled } from './snapshot/publish';
export type { ListingChange, NewVersion, SnapshotWriter } from './snapshot/snapshot-writer';
