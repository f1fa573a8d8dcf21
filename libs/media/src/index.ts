export type { SizeFormat } from './decoder';
export { type Media, openMedia, type ServedPhoto } from './media';
export { PHOTO_WIDTHS, parsePhotoName, type PhotoName, type PhotoWidth } from './photo-name';
export { PHOTO_REFUSALS, type PhotoRefusal, PhotoRefused } from './photo/refusals';
export { type MediaLocation, type MediaSettings, photoUrl, readMediaSettings } from './settings';
export type { ByteRange, StoreProblem } from '@passerelle/bucket';
export { MediaStoreError } from './store/media-store';
export type { FileKind, PhotoBytes, StoredPhoto } from './store-photo';
export { TooBusy } from './work-gate';
