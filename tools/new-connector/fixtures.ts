import type { RecordKind, RecordNames } from './kinds';

const OWNER = 'PRIVATE PERSON';

/** The sample records of a new connector: the second has an unknown word, the third has no price. */
const RECORDS = [
  {
    ...{ id: '1001', reference: '00012', updated: '2026-03-01 10:00:00', offer: 'sale', kind: 'house' },
    ...{ price: '250000', area: '92,5', rooms: '4', postcode: '01000', city: 'Bourg-Fictif' },
    ...{ title: 'Maison de ville', description: 'Un jardin & une cour.' },
    photos: { photo: ['https://photos.example.org/1001/1.jpg'] },
  },
  {
    ...{ id: '1002', reference: '00013', updated: '2026-03-02 10:00:00', offer: 'rent', kind: 'igloo' },
    ...{ price: '900', area: '', rooms: '', postcode: '', city: 'Bourg-Fictif' },
    ...{ title: 'Igloo', description: '' },
    photos: { photo: [] },
  },
  {
    ...{ id: '1003', reference: '00014', updated: '2026-03-03 10:00:00', offer: 'sale', kind: 'plot' },
    ...{ price: '0', area: '', rooms: '', postcode: '01000', city: 'Bourg-Fictif' },
    ...{ title: 'Terrain', description: '' },
    photos: { photo: [] },
  },
];

const LISTINGS = [
  {
    ...{ affId: '1001', affNum: '00012', intitule: 'Maison de ville', commentaires: 'Un jardin & une cour.' },
    ...{ typeTransaction: 'vente', typeTransactionSource: 'sale', typeCode: 'maison', typeCodeSource: 'house' },
    ...{ prix: 250_000, prixCurrency: 'EUR', surfaceHabitable: 92.5, nbrePieces: 4 },
    ...{ ville: 'Bourg-Fictif', codePostal: '01000', pays: 'FR' },
    photos: [{ url: 'https://photos.example.org/1001/1.jpg', empreinte: '51651a5fc201c4d1' }],
    dateModification: '2026-03-01T10:00:00',
  },
  {
    ...{ affId: '1002', affNum: '00013', intitule: 'Igloo' },
    ...{ typeTransaction: 'location', typeTransactionSource: 'rent', typeCode: 'autre', typeCodeSource: 'igloo' },
    ...{ prixCurrency: 'EUR', loyer: 900, ville: 'Bourg-Fictif', pays: 'FR', photos: [] },
    dateModification: '2026-03-02T10:00:00',
  },
  {
    ...{ affId: '1003', affNum: '00014', intitule: 'Terrain' },
    ...{ typeTransaction: 'vente', typeTransactionSource: 'sale', typeCode: 'terrain', typeCodeSource: 'plot' },
    ...{
      prixSurDemande: true,
      prixCurrency: 'EUR',
      ville: 'Bourg-Fictif',
      codePostal: '01000',
      pays: 'FR',
      photos: [],
    },
    dateModification: '2026-03-03T10:00:00',
  },
];

export function feedFixture(kind: RecordKind, { root, record }: RecordNames): string {
  if (kind === 'json') {
    const listings = RECORDS.map((record) => ({ ...record, owner: OWNER }));
    return `${JSON.stringify({ total: listings.length, [root]: listings }, null, 2)}\n`;
  }
  const records = RECORDS.map(({ photos, ...fields }) => {
    const elements = Object.entries({ ...fields, owner: OWNER }).map(
      ([name, value]) => `    <${name}>${value.replace('&', '&amp;')}</${name}>\n`,
    );
    const photo = photos.photo.map((url) => `<photo>${url}</photo>`).join('');
    return `  <${record}>\n${elements.join('')}    <photos>${photo}</photos>\n  </${record}>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}>\n${records.join('')}</${root}>\n`;
}

export function expectedFixture(code: string, kind: RecordKind, isPushed = false): string {
  const records = RECORDS.map((record, index) => ({
    listing: { ...LISTINGS[index], passerelleName: code },
    raw: kind === 'xml' && record.photos.photo.length === 0 ? { ...record, photos: '' } : record,
    ...(isPushed && { scope: record.id }),
    revision: `${record.updated.replace(' ', 'T')}.000Z`,
  }));
  const notes = kind === 'xml' ? [] : [`declared ${RECORDS.length}`];
  return `${JSON.stringify({ records, warnings: ['unknown_word kind igloo'], notes }, null, 2)}\n`;
}
