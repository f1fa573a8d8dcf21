/** How adverts reach the portal; an API needs a client of its own. */
export const TARGET_KINDS = ['file', 'address'] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

/** The files of a new target by name: a small XML format that passes the standard suite. */
export function targetFiles(code: string, kind: TargetKind): Record<string, string> {
  return {
    'target.ts': targetFile(code, kind),
    'mapping.ts': MAPPING,
    'lookups.ts': LOOKUPS,
    [`${code}.spec.ts`]: SPEC,
    '__fixtures__/listings.json': `${JSON.stringify({ listings: LISTINGS }, null, 2)}\n`,
    'README.md': readme(code),
  };
}

function targetFile(code: string, kind: TargetKind): string {
  const address = kind === 'address' ? "\n  contentType: 'application/xml; charset=utf-8'," : '';
  return `import { defineTarget } from '../../kit/define-target';
import { among, onTheMarket, priced, required, textOf } from '../../kit/requirements';
import { OFFERS } from './lookups';
import { advertElement, DOCUMENT_END, DOCUMENT_START } from './mapping';

/** What the portal is, and what it reads. See README.md. */
export const target = defineTarget({
  code: '${code}',
  label: '${code}',
  transport: '${kind}',${address}
  notes: 'What the portal wants, and who gives the login.',
  settings: { agency: 'Number of the agency at the portal.' },
  absenceRemoves: true,
  acknowledges: false,
  maxPhotos: 20,
  required: [
    onTheMarket(),
    required('typeTransaction', 'ville'),
    among('typeTransaction', OFFERS, 'must be a sale or a rental'),
    priced(),
    textOf('intitule'),
  ],
  fields: [
    ...(['affId', 'intitule', 'commentaires', 'textes', 'typeTransaction', 'typeCode', 'prix', 'loyer'] as const),
    ...(['ville', 'codePostal', 'adresse', 'latitude', 'longitude', 'photos'] as const),
  ],
  advert: advertElement,
  document: {
    encoding: 'utf-8',
    start: () => DOCUMENT_START,
    separator: '',
    end: () => DOCUMENT_END,
    file: () => ({ kind: 'plain', name: '${code}.xml' }),
  },
});
`;
}

const MAPPING = `import type { ExportContext, ExportItem } from '../../kit/contracts';
import { textsFor } from '../../kit/languages';
import { priceOf } from '../../kit/offer';
import { photoAddress } from '../../kit/photo-address';
import { positionOf } from '../../kit/place';
import { settingOf } from '../../kit/settings';
import { decimal } from '../../kit/text';
import { element, group } from '../../kit/xml';
import { TYPES } from './lookups';

export const DOCUMENT_START = '<?xml version="1.0" encoding="UTF-8"?>\\n<adverts>\\n';
export const DOCUMENT_END = '</adverts>\\n';

const MOST_PHOTOS = 20;

/** One advert. A listing without an address has no street, and its position has two decimals. */
export function advertElement({ listing, advertId }: ExportItem, context: ExportContext): string {
  const { intitule, commentaires } = textsFor(listing, context.placement.language);
  const { kind, amount } = priceOf(listing);
  const position = positionOf(listing);
  const advert = group('advert', [
    element('id', advertId),
    element('agency', settingOf(context, 'agency')),
    element('offer', kind),
    element('kind', TYPES[listing.typeCode ?? 'autre']),
    element('price', amount === undefined ? undefined : decimal(amount)),
    element('title', intitule),
    element('description', commentaires),
    element('street', listing.adresse),
    element('postcode', listing.codePostal),
    element('city', listing.ville),
    element('latitude', position?.latitude),
    element('longitude', position?.longitude),
    group('photos', listing.photos.slice(0, MOST_PHOTOS).map((photo) => element('photo', photoAddress(photo)))),
  ]);
  return \`\${advert}\\n\`;
}
`;

const LOOKUPS = `// The words of a listing are in libs/domain/src/listing/vocabulary.ts.
import type { TypeCode, TypeTransaction } from '@passerelle/domain';

export const OFFERS: readonly TypeTransaction[] = ['vente', 'location'];

export const TYPES: Readonly<Partial<Record<TypeCode, string>>> = {
  maison: 'house',
  appartement: 'flat',
  terrain: 'plot',
};
`;

const SPEC = `import { join } from 'node:path';
import { describeTarget } from '../../../../../test/support/targets/describe-target';
import { idsInXml } from '../../../../../test/support/targets/readers';
import { target } from './target';

describeTarget(target, {
  fixturesDir: join(__dirname, '__fixtures__'),
  read: (document) => idsInXml(document, 'adverts', 'advert', 'id'),
});
`;

const LISTINGS = [
  {
    ...{ affId: '1001', affNum: 'V-1001', passerelleName: 'demo', langue: 'fr' },
    ...{ intitule: 'Maison à Bourg-Fictif', commentaires: 'Au calme, près du lac & des écoles.' },
    ...{ typeTransaction: 'vente', typeCode: 'maison', prix: 249000, prixCurrency: 'EUR', surfaceHabitable: 112 },
    ...{ ville: 'Bourg-Fictif', codePostal: '01000', pays: 'FR', latitude: 46.211234, longitude: 5.231234 },
    photos: [{ url: 'https://photos.example.org/1001/a.jpg', empreinte: '00000000000000a1' }],
  },
];

function readme(code: string): string {
  return `# ${code}

What the portal reads, in which market.

| setting | default | |
|---|---|---|
| \`agency\` | none | number of the agency at the portal |

## Facts

From where: the portal's documentation, its version and date.

- An advert that is absent is removed.

## Required

A sale or a rental with a price, a town and a title.

## Not known

- What no source says.
`;
}
