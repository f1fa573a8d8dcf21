import type {
  AddressTarget,
  ApiTarget,
  ExportDocument,
  ExportItem,
  FileTarget,
  Shortfall,
} from '@passerelle/exporters';
import type { PortalSimulator } from './portal-simulator';

const DOCUMENT: ExportDocument = {
  encoding: 'utf-8',
  start: ({ publishedAtMs }) => `<list at="${publishedAtMs}">\n`,
  separator: '\n',
  end: () => '\n</list>\n',
  file: ({ placement }) => ({ kind: 'plain', name: `${placement.client}.xml` }),
};

const FACTS = {
  label: 'A portal of tests',
  ...{ notes: '', version: 1, credentials: {}, requiredCredentials: [], settings: {}, requiredSettings: [] },
  ...{ maxPhotos: 10, fields: ['affId', 'intitule'] },
  shortfalls: ({ listing }: ExportItem): Shortfall[] =>
    listing.intitule === undefined ? [{ field: 'intitule', need: 'is required' }] : [],
  advert: ({ listing, advertId }: ExportItem): string => `<advert id="${advertId}">${listing.intitule ?? ''}</advert>`,
} satisfies Partial<FileTarget>;

/** A portal that takes whole lists by FTP, and removes what they do not contain. */
export const FILE_TARGET: FileTarget = {
  ...FACTS,
  ...{ code: 'test-file', transport: 'file', absenceRemoves: true, acknowledges: false, document: DOCUMENT },
  ...{ credentials: { url: 'Where the file goes' }, requiredCredentials: ['url'] },
};

/** The same, as a ZIP with photos. */
export const ZIP_TARGET: FileTarget = {
  ...FILE_TARGET,
  code: 'test-zip',
  document: {
    ...DOCUMENT,
    encoding: 'latin1',
    file: ({ placement }) => ({
      ...{ kind: 'zip', name: `${placement.client}.zip`, entry: 'list.xml', beside: { 'Config.txt': 'Version=1' } },
      photos: ({ listing, advertId }) => listing.photos.map(({ url }, at) => ({ name: `${advertId}-${at}.jpg`, url })),
    }),
  },
};

/** A portal that fetches the list. */
export const ADDRESS_TARGET: AddressTarget = {
  ...FACTS,
  ...{
    code: 'test-address',
    transport: 'address',
    contentType: 'application/xml; charset=utf-8',
    absenceRemoves: true,
  },
  ...{ acknowledges: false, document: DOCUMENT },
};

/** A portal with an API and answers that come later. */
export function apiTarget(portal: PortalSimulator): ApiTarget {
  return {
    ...FACTS,
    ...{ code: 'test-api', transport: 'api', absenceRemoves: false, acknowledges: true },
    open: () => portal.client(),
  };
}
