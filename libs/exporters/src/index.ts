export { ComposedDocument, type SavePhoto } from './engine/compose-document';
export { configHashOf } from './engine/hashes';
export { judgeExport } from './engine/judge-export';
export { actionFor, type AdvertAction, isLive } from './engine/publication-states';
export { type ScanJob, type ScannedList, type ScannedPlacement, scanList } from './engine/scan-list';
export * from './kit/contracts';
export { createTargets } from './kit/registry';
