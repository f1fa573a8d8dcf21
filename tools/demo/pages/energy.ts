import { ENERGY_SCALES, type Listing, type TypeCode } from '@passerelle/domain';
import { type Html, html } from '@passerelle/html';
import { inFigures } from '../labels';

const CLASSES = ['A', 'B', 'C', 'D', 'E', 'F', 'G'] as const;

/** Texts that agencies write instead of a class. */
const NO_CLASS: Readonly<Record<string, string>> = { VI: 'DPE vierge', NS: 'Non soumis au DPE' };

/** No building, no certificate. */
const WITHOUT_CERTIFICATE: readonly (TypeCode | undefined)[] = ['terrain', 'parking'];

/** DPE and GES are certificates of France; a listing without a country is taken for French. */
export function isFrench({ pays = 'FR' }: Listing): boolean {
  return ENERGY_SCALES['FR-DPE'].countries.some((country) => country === pays);
}

/** The energy class in a card; without one what the feed says instead. */
export function energyBadge(listing: Listing): Html | null {
  const { dpeClasse, dpeValeur, typeCode, energie = [] } = listing;
  if (!isFrench(listing)) {
    const letter = energie.find(({ classe }) => classe !== undefined)?.classe;
    return letter === undefined ? null : html`<span class="badge dpe">Énergie ${letter}</span>`;
  }
  if (isClass(dpeClasse)) return html`<span class="badge dpe dpe-${dpeClasse}">DPE ${dpeClasse}</span>`;
  const words = NO_CLASS[dpeClasse ?? ''] ?? dpeClasse;
  if (words !== undefined) return html`<span class="badge dpe">${words}</span>`;
  if (dpeValeur !== undefined) return html`<span class="badge dpe">DPE ${inFigures(dpeValeur)} kWh/m²/an</span>`;
  return WITHOUT_CERTIFICATE.includes(typeCode) ? null : html`<span class="badge dpe">DPE non communiqué</span>`;
}

function isClass(letter: string | undefined): letter is (typeof CLASSES)[number] {
  return CLASSES.some((one) => one === letter);
}
