import type { IncomingMessage } from 'node:http';
import { answerDocument, NOT_FOUND } from './answers';
import { writeKyeroXml } from './feeds/kyero';
import { writePolirisZip } from './feeds/poliris';
import type { Answer } from './misbehaviour';
import type { Gallery } from './photos/gallery';
import type { Portfolio } from './portfolio';
import type { Property, SimulatedCrm } from './property';

interface Feed {
  crm: SimulatedCrm;
  contentType: string;
  write: (properties: readonly Property[]) => Promise<Buffer>;
}

export interface DocumentsOptions {
  portfolios: Readonly<Record<SimulatedCrm, Portfolio>>;
  photoUrls: (crm: SimulatedCrm, property: Property) => string[];
  gallery: Gallery;
  host: string;
}

/** Creates the feeds that consist of one document, once per version of the portfolio. */
export function createDocuments({ portfolios, photoUrls, gallery, host }: DocumentsOptions) {
  const feeds: Readonly<Record<string, Feed>> = {
    '/kyero/demo.xml': {
      crm: 'kyero',
      contentType: 'application/xml',
      write: (properties) => Promise.resolve(writeKyeroXml(properties, (property) => photoUrls('kyero', property))),
    },
    '/poliris/immo_demo.zip': {
      crm: 'poliris',
      contentType: 'application/zip',
      write: (properties) => writePolirisZip(properties, (property) => photoUrls('poliris', property), gallery.photoOf),
    },
  };
  const written = new Map<string, { version: number; body: Promise<Buffer> }>();
  return async (request: IncomingMessage, pathname: string): Promise<Answer> => {
    const feed = feeds[pathname];
    if (feed === undefined) return NOT_FOUND;
    const { properties, version } = portfolios[feed.crm];
    const write = (): Promise<Buffer> => {
      const current = written.get(pathname);
      if (current?.version === version) return current.body;
      const body = feed.write(properties);
      written.set(pathname, { version, body });
      return body;
    };
    const { contentType } = feed;
    return answerDocument(request, {
      contentType,
      madeFrom: [host, properties],
      modifiedAt: newestOf(properties),
      write,
    });
  };
}

function newestOf(properties: readonly Property[]): string {
  return properties.reduce(
    (latest, { modifiedAt }) => (modifiedAt > latest ? modifiedAt : latest),
    '2024-01-01 00:00:00',
  );
}
