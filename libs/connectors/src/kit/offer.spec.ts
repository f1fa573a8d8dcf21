import type { RentPeriod, TypeTransaction } from '@passerelle/domain';
import { offer, type Offer } from './offer';
import { recordingContext } from '../../../../test/support/connectors/recording-context';
import * as v from './verbs';
import { wordTable } from './word-table';

const verbs = offer<{ hidden?: boolean }>({
  transaction: v.oneOf(wordTable<TypeTransaction>({ sale: 'vente', rent: 'location' }), 'offer', 'autre'),
  price: 'price',
  period: v.unit(wordTable<RentPeriod>({ week: 'semaine', month: 'mois' }), 'period', 'mois'),
  isHidden: (record) => record.hidden === true,
}).fields('typeTransaction', 'prix', 'prixSurDemande', 'loyer', 'loyerPeriode');

it.each<[object, Offer, string[]]>([
  [{ offer: 'sale', price: '250000' }, { typeTransaction: 'vente', prix: 250000 }, []],
  [{ offer: 'sale', price: '250' }, { typeTransaction: 'vente', prix: 250 }, ['implausible_value price 250']],
  [{ offer: 'swap', price: '250' }, { typeTransaction: 'autre', prix: 250 }, ['unknown_word offer swap']],
  [{ price: '250' }, { prix: 250 }, []],
  [{ offer: 'sale', price: '0' }, { typeTransaction: 'vente', prixSurDemande: true }, []],
  [{ offer: 'sale', price: '250000', hidden: true }, { typeTransaction: 'vente', prixSurDemande: true }, []],
  [{ offer: 'rent', price: '900' }, { typeTransaction: 'location', loyer: 900 }, []],
  [{ offer: 'rent', price: '900', period: 'month' }, { typeTransaction: 'location', loyer: 900 }, []],
  [
    { offer: 'rent', price: '300', period: 'week' },
    { typeTransaction: 'location', loyer: 1300, loyerPeriode: 'semaine' },
    [],
  ],
  [{ offer: 'rent', period: 'week' }, { typeTransaction: 'location', prixSurDemande: true }, []],
  [{ offer: 'rent', price: '300', period: 'stay' }, { typeTransaction: 'location' }, ['implausible_value period stay']],
])('offer reads %j as %j', (record, expected, noticed) => {
  const { context, warnings } = recordingContext('demo');
  const read = Object.entries(verbs).map(([field, verb]) => [field, verb.read(record, context)] as const);
  expect(Object.fromEntries(read.filter(([, value]) => value !== undefined))).toEqual(expected);
  expect(warnings).toEqual(noticed);
});
