import type { Listing, ListingField } from '@passerelle/domain';
import type { ExportContext, ExportItem, Shortfall } from './contracts';
import { textsFor } from './languages';
import { priceOf } from './offer';

/** Says what a listing lacks. The verbs below make one for each rule that portals have. */
export type Requirement = (item: ExportItem, context: ExportContext) => readonly Shortfall[];

export function shortfallsOf(
  requirements: readonly Requirement[],
  item: ExportItem,
  context: ExportContext,
): readonly Shortfall[] {
  const found: Shortfall[] = [];
  for (const requirement of requirements) {
    for (const shortfall of requirement(item, context)) {
      const isKnown = found.some(({ field, need }) => field === shortfall.field && need === shortfall.need);
      if (!isKnown) found.push(shortfall);
    }
  }
  return found;
}

/** Each of the fields has a value. */
export function required(...fields: readonly ListingField[]): Requirement {
  return ({ listing }) => fields.flatMap((field) => (isGiven(listing, field) ? [] : [{ field, need: 'is required' }]));
}

/** At least one of the fields has a value. The shortfall names the first one. */
export function oneRequired(first: ListingField, ...others: readonly ListingField[]): Requirement {
  return ({ listing }) =>
    [first, ...others].some((field) => isGiven(listing, field))
      ? []
      : [{ field: first, need: `is required, or ${others.join(' or ')}` }];
}

/** A price for a sale, a rent for a rental: the format has no advert without an amount. */
export function priced(): Requirement {
  return ({ listing }) => {
    const { kind, amount } = priceOf(listing);
    return amount === undefined ? [{ field: kind === 'rent' ? 'loyer' : 'prix', need: 'is required' }] : [];
  };
}

/** The field is absent or one of the values; `need` says which the format has. */
export function among<F extends ListingField>(
  field: F,
  values: readonly NonNullable<Listing[F]>[],
  need: string,
): Requirement {
  return ({ listing }) => {
    const value = listing[field];
    return value === undefined || values.includes(value) ? [] : [{ field, need }];
  };
}

/** A title or description in the language of the placement with at least `least` characters. */
export function textOf(field: 'intitule' | 'commentaires', least = 1): Requirement {
  return ({ listing }, { placement }) => {
    const { length } = Array.from(textsFor(listing, placement.language)[field] ?? '');
    if (length >= least) return [];
    return [{ field, need: least === 1 ? 'is required' : `needs at least ${least} characters` }];
  };
}

export function photos(least: number): Requirement {
  const need = `needs at least ${least} ${least === 1 ? 'photo' : 'photos'}`;
  return ({ listing }) => (listing.photos.length >= least ? [] : [{ field: 'photos', need }]);
}

/** A number of at least `least`; an absent one falls short as well. */
export function atLeast(field: NumberField, least: number, unit = ''): Requirement {
  return ({ listing }) =>
    (listing[field] ?? -Infinity) >= least ? [] : [{ field, need: `needs at least ${`${least} ${unit}`.trim()}` }];
}

type NumberField = {
  [F in ListingField]-?: NonNullable<Listing[F]> extends number ? F : never;
}[ListingField];

/** A text that matches, if it is there. */
export function matching(field: 'codePostal' | 'url', pattern: RegExp, need: string): Requirement {
  return ({ listing }) => {
    const value = listing[field];
    return value === undefined || pattern.test(value) ? [] : [{ field, need }];
  };
}

/** A text of at most `most` characters, if it is there: a longer one cannot be cut. */
export function atMostCharacters(field: 'url' | 'affNum', most: number): Requirement {
  return ({ listing }) =>
    (listing[field]?.length ?? 0) > most ? [{ field, need: `must have at most ${most} characters` }] : [];
}

/** The listing is on the market: the gateway's setting `keep-sold` keeps sold ones, and no portal may offer these. */
export function onTheMarket(): Requirement {
  return ({ listing: { statut } }) =>
    statut === 'vendu' || statut === 'loue' ? [{ field: 'statut', need: 'must not be sold or let' }] : [];
}

/** Requirements for some listings only. */
export function when(
  isSo: (listing: Listing, context: ExportContext) => boolean,
  ...requirements: readonly Requirement[]
): Requirement {
  return (item, context) => (isSo(item.listing, context) ? shortfallsOf(requirements, item, context) : []);
}

function isGiven(listing: Listing, field: ListingField): boolean {
  const value = listing[field];
  return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
}
