import type { Connector } from './contracts';
import type { Opening } from './feed-shape';
import { ARCHIVE_SETTINGS, TRANSPORT_CREDENTIALS, TRANSPORT_SETTINGS } from './http-access';
import { PHOTO_SETTINGS } from './photo-series';
import { LEAD_SETTINGS, type LeadVerb, PLAIN_LEAD } from './lead';

export type ConnectorDeclaration<R> = Omit<Connector<R>, 'version' | 'credentials' | 'settings' | 'open' | 'lead'> & {
  /** Default 1. */
  version?: number;
  /** Default none. A connector that fetches one document also accepts `TRANSPORT_CREDENTIALS`. */
  credentials?: Readonly<Record<string, string>>;
  /**
   * Default none. `LEAD_SETTINGS` and `PHOTO_SETTINGS` are always added, `TRANSPORT_SETTINGS` for documents, `ARCHIVE_SETTINGS` for
   * documents in archives.
   */
  settings?: Readonly<Record<string, string>>;
  /** Default: one plain document. */
  open?: Opening;
  /** Default: a plain-text e-mail. */
  lead?: LeadVerb;
};

const CODE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const OPTION_NAME = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;

/** Checks the declaration, so that a faulty one stops the process at boot. @throws Error that names the fault */
export function defineConnector<R>(declaration: ConnectorDeclaration<R>): Connector<R> {
  const isDocument = declaration.fetch.kind === 'document';
  const connector: Connector<R> = {
    version: 1,
    open: { container: 'plain' },
    lead: PLAIN_LEAD,
    ...declaration,
    credentials: { ...(isDocument && TRANSPORT_CREDENTIALS), ...declaration.credentials },
    settings: {
      ...(isDocument && TRANSPORT_SETTINGS),
      ...(isDocument && (declaration.open?.container ?? 'plain') !== 'plain' && ARCHIVE_SETTINGS),
      ...LEAD_SETTINGS,
      ...(declaration.copiesPhotos !== true && PHOTO_SETTINGS),
      ...declaration.settings,
    },
  };
  const problem = problemOf(connector);
  if (problem !== undefined) throw new Error(`connector "${connector.code}": ${problem}`);
  return Object.freeze(connector);
}

function problemOf(connector: Connector): string | undefined {
  if (!CODE.test(connector.code)) return 'a code is lower-case letters, digits and hyphens';
  if (connector.label.trim() === '') return 'a label is what people read: it must not be empty';
  if (connector.notes.trim() === '') return 'notes must say what the source URL is';
  if (!Number.isInteger(connector.version) || connector.version < 1) return 'a version is a whole number from 1';
  for (const [kind, options] of [
    ['credential', connector.credentials],
    ['setting', connector.settings],
  ] as const) {
    for (const [name, sentence] of Object.entries(options)) {
      if (!OPTION_NAME.test(name)) return `the ${kind} "${name}" is not in lower-case letters, digits and hyphens`;
      if (sentence.trim() === '') return `the ${kind} "${name}" needs a sentence that explains it`;
    }
  }
  if (connector.open.container !== 'plain' && connector.open.holdsRecords === undefined) {
    return 'an archive needs `holdsRecords`, or nothing in it would be read';
  }
  return undefined;
}
