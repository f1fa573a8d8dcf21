import type { TitleWord } from '../../kit/title-words';
import type { TypeCode } from '@passerelle/domain';
import { wordTable } from '../../kit/word-table';

/** `vermarktungsart`. */
export const MARKETING = wordTable<'sale' | 'rent' | 'ground-lease'>({
  ...{ kauf: 'sale', erbpacht: 'ground-lease', miete: 'rent', pacht: 'rent', leasing: 'rent' },
});

export interface PropertyType {
  code: TypeCode;
  title: TitleWord;
}

const type = (code: TypeCode, title: TitleWord): PropertyType => ({ code, title });

/** `objektart`. */
export const TYPES = wordTable<PropertyType>({
  zimmer: type('appartement', 'Chambre'),
  wohnung: type('appartement', 'Appartement'),
  haus: type('maison', 'Maison'),
  hausbau: type('maison', 'Maison à construire'),
  grundstueck: type('terrain', 'Terrain'),
  buero_praxen: type('bureau', 'Bureau'),
  einzelhandel: type('boutique', 'Boutique'),
  gastgewerbe: type('local', 'Hôtel ou restaurant'),
  hallen_lager_prod: type('local', 'Entrepôt'),
  land_und_forstwirtschaft: type('autre', 'Propriété agricole'),
  parken: type('parking', 'Parking'),
  sonstige: type('autre', 'Bien'),
  freizeitimmobilien_gewerblich: type('local', 'Local de loisirs'),
  freizeitimmobilie_gewerblich: type('local', 'Local de loisirs'),
  zinshaus_renditeobjekt: type('immeuble', 'Immeuble de rapport'),
});

/** `objekttyp`, where it is more precise than its `objektart`. Types that a client adds count as their `objektart`. */
export const KINDS = wordTable<PropertyType>({
  'wohnung loft_studio_atelier': type('loft', 'Loft'),
  'wohnung loft': type('loft', 'Loft'),
  'wohnung maisonette': type('appartement', 'Duplex'),
  'wohnung penthouse': type('appartement', 'Penthouse'),
  'haus schloss': type('chateau', 'Château'),
  'haus burg': type('chateau', 'Château'),
  'haus villa': type('maison', 'Villa'),
  'haus bungalow': type('maison', 'Bungalow'),
  'haus chalet': type('maison', 'Chalet'),
  'haus bauernhaus': type('maison', 'Ferme'),
});

/** `status`. */
export const STATUSES = wordTable<string>({ '0': 'archived', '1': '', '2': 'inactive' });

/** `energieausweistyp`, by keys and by labels. */
export const CERTIFICATES = wordTable<'besoin' | 'consommation'>({
  ...{ endenergiebedarf: 'besoin', bedarfsausweis: 'besoin', bedarf: 'besoin' },
  ...{ energieverbrauchskennwert: 'consommation', verbrauchsausweis: 'consommation', verbrauch: 'consommation' },
});
