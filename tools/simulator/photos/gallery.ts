import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { answerDocument, NOT_FOUND } from '../answers';
import type { Answer } from '../misbehaviour';
import type { Property } from '../property';
import { takePhoto } from './take-photo';
import { type Photo, photoFile } from './photo';

/** The photos of all agencies; each is created at the first request. */
export interface Gallery {
  photoOf: (id: number, photo: Photo) => Promise<Buffer>;
  answer: (request: IncomingMessage, pathname: string, properties: readonly Property[]) => Promise<Answer>;
}

const MAX_BYTES = 64 * 1024 * 1024;
const PATH = /^\/\w+\/photos\/((\d+)-\d+-\w+\.jpg)$/;

export function createGallery(seed: number): Gallery {
  const taken = new LRUCache<string, Buffer>({ maxSize: MAX_BYTES, sizeCalculation: ({ length }) => length });
  const photoOf = async (id: number, photo: Photo): Promise<Buffer> => {
    const key = `${photoFile(id, photo)} ${String(photo.edition)}`;
    const file = taken.get(key) ?? (await takePhoto(seed, id, photo));
    taken.set(key, file);
    return file;
  };
  return {
    photoOf,
    async answer(request, pathname, properties) {
      const [, file, number] = PATH.exec(pathname) ?? [];
      const property = properties.find(({ id }) => id === Number(number));
      const photo = property?.photos.find((one) => photoFile(property.id, one) === file);
      if (property === undefined || photo === undefined) return NOT_FOUND;
      return answerDocument(request, {
        contentType: 'image/jpeg',
        madeFrom: [seed, property.id, photo],
        modifiedAt: property.modifiedAt,
        write: () => photoOf(property.id, photo),
      });
    },
  };
}
