import type { RecordContext } from './contracts';
import { hidden, LET, SHOWN, SOLD, soldOrLet, standing, UNDER_CONTRACT, UNDER_OFFER, withdrawalFor } from './status';

const context = (settings: RecordContext['settings'] = {}): RecordContext => ({
  ...{ crm: 'test', settings, feed: {} },
  warn: () => undefined,
});

it('withdrawalFor withdraws sold, let and withdrawn records, and keeps the others', () => {
  const reasons = [SHOWN, UNDER_OFFER, UNDER_CONTRACT, SOLD, LET, hidden('withdrawn')].map((one) =>
    withdrawalFor(one, context()),
  );
  expect(reasons).toEqual([undefined, undefined, undefined, 'sold', 'let', 'withdrawn']);
});

it('withdrawalFor keeps only sold and let records when keep-sold is set', () => {
  const reasons = [SOLD, LET, hidden('withdrawn')].map((one) => withdrawalFor(one, context({ 'keep-sold': 'oui' })));
  expect(reasons).toEqual([undefined, undefined, 'withdrawn']);
  expect(withdrawalFor(SOLD, context({ 'keep-sold': 'non' }))).toBe('sold');
});

it('standing sets sousOffre only under offer and under contract', () => {
  const fields = (['vendu', 'loue', 'sous-offre', 'sous-compromis', undefined] as const).map((statut) =>
    standing(() => statut)
      .field('sousOffre')
      .read({}, context()),
  );
  expect(fields).toEqual([undefined, undefined, true, true, undefined]);
});

it('soldOrLet follows the transaction, and gives nothing without one', () => {
  expect([soldOrLet('location'), soldOrLet('enchere'), soldOrLet('autre'), soldOrLet(undefined)]).toEqual([
    ...['loue', 'vendu', undefined, undefined],
  ]);
});
