import AdmZip from 'adm-zip';
import { type ApiServer, startApi } from '../apis/api-server';
import type { Offer } from './offer';

/** An agency whose CRM writes all of its offers to one file; a test may change it at any time. */
export interface FileState {
  offers: () => readonly Offer[];
  /** Whether the file is sent in a ZIP. */
  isZipped: boolean;
  /** Photos have other addresses in each response. */
  movesPhotos: boolean;
}

export interface FileFormat {
  /** The name of the file, also in a ZIP. */
  name: string;
  write: (offers: readonly Offer[]) => Buffer;
}

/** Starts the server of such files: it returns the file at every address. */
export function simulateFile({ name, write }: FileFormat, state: FileState): Promise<ApiServer> {
  let answers = 0;
  return startApi(() => {
    answers += 1;
    const moved = state.movesPhotos ? `?version=${answers}` : '';
    const file = write(
      state.offers().map((offer) => ({ ...offer, photos: offer.photos.map((photo) => `${photo}${moved}`) })),
    );
    return {
      status: 200,
      headers: { 'content-type': 'application/octet-stream' },
      body: state.isZipped ? zipOf(name, file) : file,
    };
  });
}

function zipOf(name: string, file: Buffer): Buffer {
  const zip = new AdmZip();
  zip.addFile(name, file);
  return zip.toBuffer();
}
