import { inventProperties, inventProperty, later } from './properties';
import type { Property, SimulatedCrm } from './property';

export interface Portfolio {
  readonly properties: readonly Property[];
  /** Grows with every change. */
  readonly version: number;
  /** @throws Error when the property does not exist. */
  change(id: number, patch: Partial<Omit<Property, 'id'>>): Property;
  /** Adds an invented property, by default at the end. */
  add(position?: number): Property;
  remove(id: number): void;
  replace(properties: readonly Property[]): void;
}

export function createPortfolio(crm: SimulatedCrm, seed: number, count: number): Portfolio {
  let properties = inventProperties(crm, seed, count);
  let invented = count;
  let version = 1;
  return {
    get properties() {
      return properties;
    },
    get version() {
      return version;
    },
    change(id, patch) {
      const position = properties.findIndex((property) => property.id === id);
      const old = properties[position];
      if (old === undefined) throw new Error(`${crm} has no property ${String(id)}`);
      const property = { ...old, modifiedAt: later(old.modifiedAt, 1), ...patch };
      properties = properties.with(position, property);
      version += 1;
      return property;
    },
    add(position = properties.length) {
      const property = inventProperty(crm, seed, invented);
      invented += 1;
      properties = properties.toSpliced(position, 0, property);
      version += 1;
      return property;
    },
    remove(id) {
      properties = properties.filter((property) => property.id !== id);
      version += 1;
    },
    replace(replacement) {
      properties = [...replacement];
      version += 1;
    },
  };
}

/** Retakes the first photo of a property; each call uses another property. */
export function retakePhoto(portfolio: Portfolio): void {
  const shown = portfolio.properties.filter(({ photos }) => photos.length > 0);
  const property = shown[portfolio.version % shown.length];
  if (property === undefined) return;
  const [first, ...others] = property.photos;
  portfolio.change(property.id, { photos: [{ ...first!, edition: first!.edition + 1 }, ...others] });
}
