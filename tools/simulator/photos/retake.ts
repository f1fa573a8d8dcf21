import type { Portfolio } from '../portfolio';

/** An agent comes by and takes the first photo of a property again; each time it is another property. */
export function retakePhoto(portfolio: Portfolio): void {
  const shown = portfolio.properties.filter(({ photos }) => photos.length > 0);
  const property = shown[portfolio.version % shown.length];
  if (property === undefined) return;
  const [first, ...others] = property.photos;
  portfolio.change(property.id, { photos: [{ ...first!, edition: first!.edition + 1 }, ...others] });
}
