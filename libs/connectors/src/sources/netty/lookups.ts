import type { TitleWord } from '../../kit/title-words';
import type { TypeCode } from '@passerelle/domain';
import { wordTable } from '../../kit/word-table';

export interface ProductType {
  code: TypeCode;
  title: TitleWord;
}

const type = (code: TypeCode, title: TitleWord): ProductType => ({ code, title });
const flat = type('appartement', 'Appartement');
const house = type('maison', 'Maison');
const premises = type('local', 'Local commercial');

/** `product_type`, as public clients read it. */
export const TYPES = wordTable<ProductType>({
  '1': flat,
  '2': house,
  '3': type('terrain', 'Terrain'),
  '4': type('parking', 'Parking'),
  '5': premises,
  '6': type('bureau', 'Bureau'),
  '7': premises,
  '8': type('autre', 'Bien'),
  '9': premises,
  '10': type('immeuble', 'Immeuble'),
  '11': house,
  '12': flat,
  '13': flat,
  '14': flat,
  '15': flat,
  '16': flat,
  '17': premises,
});
