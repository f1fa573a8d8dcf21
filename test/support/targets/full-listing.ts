import {
  FIELD_DEFINITIONS,
  type FieldDefinition,
  type Listing,
  LISTING_FIELDS,
  type ListingField,
} from '@passerelle/domain';

/** A value of each kind of field; texts contain the name of their field. */
function valueOf(field: ListingField, definition: FieldDefinition, variant: number): unknown {
  switch (definition.kind) {
    case 'word':
      return definition.values[variant % definition.values.length];
    case 'language':
      return 'fr';
    case 'url':
      return `https://site.example/${field}-${variant}`;
    case 'day':
    case 'date':
      return `2026-0${1 + variant}-15`;
    case 'number':
    case 'amount':
      return 100 + variant;
    case 'integer':
      return 1 + variant;
    case 'flag':
      return variant % 2 === 0;
    case 'texts':
      return { en: { intitule: `Title ${variant}`, commentaires: `Description ${variant}` } };
    case 'words':
      return [`${field} ${variant}`];
    case 'range':
      return { min: 10 + variant, max: 20 + variant };
    case 'periodic':
      return { montant: 200 + variant, periode: 'semaine' };
    case 'links':
      return [{ url: `https://photos.example/${field}-${variant}.pdf`, empreinte: '00000000000000aa' }];
    case 'energy':
    case 'mentions':
    case 'facts':
      return undefined;
    case 'photos':
      return [1, 2, 3].map((at) => photo(`${variant}-${at}`));
    case 'text':
      return `${field} ${variant}`;
  }
}

export function photo(name: string): Listing['photos'][number] {
  const empreinte = Buffer.from(name.padEnd(8).slice(0, 8)).toString('hex');
  return { url: `https://photos.example/${name}.jpg`, legende: `Caption ${name}`, empreinte };
}

const BASE: Partial<Listing> = {
  ...{ passerelleName: 'demo', typeTransaction: 'vente', typeCode: 'maison', prixCurrency: 'EUR', pays: 'FR' },
  ...{ codePostal: '01000', latitude: 46.123456, longitude: 5.123456, negoEmail: 'agent@agency.example' },
  ...{ agenceTel: '0400000000', negoTel: '0600000000', anneeConstruction: 1985, prix: 250_000, loyer: 900, etage: 2 },
  ...{ langue: 'fr', dpeClasse: 'D', gesClasse: 'B', dpeAnneeReference: '2021', chauffageType: 'collectif radiateur' },
  ...{ chauffageEnergie: 'gaz', exposition: 'sud', vue: 'vue dégagée', etat: 'travaux à prévoir', parkingType: 'box' },
  energie: [
    { pays: 'FR', echelle: 'FR-DPE', grandeur: 'energie-primaire', classe: 'D', valeur: 180, unite: 'kWh/m²/an' },
    { pays: 'FR', echelle: 'FR-DPE', grandeur: 'emissions', classe: 'B', valeur: 9, unite: 'kg CO₂/m²/an' },
  ],
  mentions: [{ code: 'georisques', pays: 'FR', langue: 'fr', texte: 'Les risques sont publiés.', source: 'Code' }],
  informations: [{ partie: 'A', sujet: 'Parking', texte: 'Shared' }],
};

/** A listing with a value in every field; `changes` replace values, and `undefined` removes one. */
export function fullListing(changes: { [F in ListingField]?: Listing[F] | undefined } = {}, variant = 0): Listing {
  const all = Object.fromEntries(
    LISTING_FIELDS.map((field) => [field, valueOf(field, FIELD_DEFINITIONS[field], variant)]),
  );
  const listing = { ...all, statut: undefined, sousOffre: undefined, ...BASE, ...changes };
  return Object.fromEntries(Object.entries(listing).filter(([, value]) => value !== undefined)) as Listing;
}
