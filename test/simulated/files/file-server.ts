import AdmZip from 'adm-zip';
import { type ApiServer, startApi } from '../apis/api-server';
import type { Offer } from './offer';

/** An agency whose CRM writes all offers to one file. A test may change the offers at any time. */
export interface FileState {
  offers: () => readonly Offer[];
  /** Whether the server sends the file in a ZIP. */
  isZipped: boolean;
  /** Whether each response has different URLs for the same photos. */
  movesPhotos: boolean;
}

export interface FileFormat {
  /** The name of the file, also inside a ZIP. */
  name: string;
  write: (offers: readonly Offer[]) => Buffer;
}

/** Starts a server that returns the file at every path. */
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
