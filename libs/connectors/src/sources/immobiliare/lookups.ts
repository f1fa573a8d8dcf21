import type { TitleWord } from '../../kit/title-words';
import type { EnergyState, TypeCode } from '@passerelle/domain';
import type { AreaUnit } from '../../kit/clean/number';
import { wordTable, type WordTable } from '../../kit/word-table';

export const UNITS = wordTable<AreaUnit>({ m2: 'm2', mq: 'm2', sft: 'ft2', ha: 'ha' });

/** Words that replace a class. `NC` (not classified) gives no information, so it is not in this table. */
export const ENERGY_WORDS = wordTable<EnergyState>({ esente: 'non-soumis' });

/** `Parzialmente Arredato` means neither yes nor no. */
export const FURNITURE = wordTable<boolean | 'partly'>({
  arredato: true,
  'non arredato': false,
  'parzialmente arredato': 'partly',
});
export const GARDENS = wordTable<boolean | 'shared'>({ privato: true, comune: 'shared', nessuno: false });

export interface PropertyType {
  code: TypeCode;
  title: TitleWord;
}

function type(code: TypeCode, title: TitleWord, ...words: readonly string[]): readonly [string, PropertyType][] {
  const meaning = { code, title };
  return words.map((word) => [word, meaning]);
}

const RESIDENTIAL = wordTable<PropertyType>(
  Object.fromEntries([
    ...type('appartement', 'Appartement', 'Appartamento', 'Multiproprietà', 'Stanza', 'Camera'),
    ...type('appartement', 'Penthouse', 'Attico', 'Attico / Mansarda', 'Mansarda'),
    ...type('loft', 'Loft', 'Loft', 'Open Space', 'Loft / Open Space'),
    ...type('maison', 'Maison', 'Casa indipendente', 'Casa per ferie (gruppi)', 'Terratetto'),
    ...type('maison', 'Villa', 'Villa', 'Villetta', 'Villa singola'),
    ...type('maison', 'Maison mitoyenne', 'Villetta a schiera', 'Villa a schiera', 'Villa bifamiliare'),
    ...type('maison', 'Maison de campagne', 'Rustico', 'Casale', 'Cascina', 'Rustico / Casale'),
    ...type('maison', 'Chalet', 'Chalet', 'Baita'),
    ...type('maison', 'Bungalow', 'Bungalow'),
    ...type('immeuble', 'Immeuble', 'Palazzo', 'Stabile', 'Palazzo / Stabile', 'Residence'),
    ...type('parking', 'Garage', 'Garage', 'Box Auto', 'Box', 'Posto auto', 'Garage / Posto auto'),
    ...type('autre', 'Bien', 'Barca', 'Roulotte', 'Parco Vacanze', 'Other', 'Altro'),
  ]),
);

const COMMERCIAL = wordTable<PropertyType>(
  Object.fromEntries([
    ...type('terrain', 'Terrain', 'Terreno', 'Edificabile residenziale', 'Edificabile commerciale', 'Agricolo'),
    ...type('terrain', 'Terrain', 'Edificabile industriale', 'Terreno agricolo', 'Terreno edificabile'),
    ...type('bureau', 'Bureau', 'Ufficio', 'Studio', 'Filiale bancaria'),
    ...type('boutique', 'Boutique', 'Negozio', 'Showroom', 'Centro commerciale'),
    ...type('local', 'Local commercial', 'Capannone', 'Capannone Industriale', 'Magazzino', 'Laboratorio', 'Immobile'),
    ...type('local', 'Hôtel', 'Albergo', 'Hotel', 'Bed and Breakfast', 'Agriturismo', 'Pensione'),
    ...type('local', 'Local commercial', 'Casa di cura', 'Scuderia', 'Stabilimento Balneare', 'Azienda agricola'),
    ...type('local', 'Local commercial', 'Consorzio agrario'),
    ...type('fonds', 'Fonds de commerce', 'Attività', 'Ristorante', 'Bar', 'Pizzeria', 'Pizza Al Taglio', 'Pub'),
    ...type('fonds', 'Fonds de commerce', 'Alimentari', 'Rosticceria', 'Pasticceria', 'Discoteca', 'Gelateria'),
    ...type('fonds', 'Fonds de commerce', 'Panetteria', 'Altro | Alimentare', 'Ferramenta', 'Casalinghi', 'Palestra'),
    ...type('fonds', 'Fonds de commerce', 'Abbigliamento', 'Estetica / Solarium', 'Parrucchiere uomo/donna'),
    ...type('fonds', 'Fonds de commerce', 'Auto officina', 'Videonoleggio', 'Tabaccheria', 'Tintoria', 'Lavanderia'),
    ...type('fonds', 'Fonds de commerce', 'Cartoleria', 'Libreria', 'Informatica', 'Telefonia', 'Edicola'),
    ...type('fonds', 'Fonds de commerce', 'Altro | Non alimentare', 'Giochi', 'Scommesse'),
  ]),
);

/** `Residenziale/Appartamento/Attico`: the last known word of the three decides. */
export const TYPES: WordTable<PropertyType> = {
  find(written) {
    const whole = RESIDENTIAL.find(written) ?? COMMERCIAL.find(written);
    if (whole !== undefined) return whole;
    for (const word of written.split('/').reverse()) {
      const found = RESIDENTIAL.find(word) ?? COMMERCIAL.find(word);
      if (found !== undefined) return found;
    }
    return undefined;
  },
};
/** The type of a sale of a business, which may be a shop or a hotel. */
export const BUSINESS: PropertyType = { code: 'fonds', title: 'Fonds de commerce' };
