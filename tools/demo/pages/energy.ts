import type { Listing, TypeCode } from '@passerelle/domain';
import { type Html, html } from '../html';
import { inFigures } from '../labels';

const CLASSES = ['A', 'B', 'C', 'D', 'E', 'F', 'G'] as const;

/** What agencies write in place of a class. */
const NO_CLASS: Readonly<Record<string, string>> = { VI: 'DPE vierge', NS: 'Non soumis au DPE' };

/** No building, no certificate. */
const WITHOUT_CERTIFICATE: readonly (TypeCode | undefined)[] = ['terrain', 'parking'];

/** The energy class in a card; without one what the feed says instead. */
export function energyBadge({ dpeClasse, dpeValeur, typeCode }: Listing): Html | null {
  if (isClass(dpeClasse)) return html`<span class="badge dpe dpe-${dpeClasse}">DPE ${dpeClasse}</span>`;
  const words = NO_CLASS[dpeClasse ?? ''] ?? dpeClasse;
  if (words !== undefined) return html`<span class="badge dpe">${words}</span>`;
  if (dpeValeur !== undefined) return html`<span class="badge dpe">DPE ${inFigures(dpeValeur)} kWh/m²/an</span>`;
  return WITHOUT_CERTIFICATE.includes(typeCode) ? null : html`<span class="badge dpe">DPE non communiqué</span>`;
}

/** Both scales with the listing's place on them. */
export function energyScales({ dpeClasse, dpeValeur, gesClasse, gesValeur }: Listing): Html {
  return html`<div class="scales">
    ${scale('dpe', 'Énergie (DPE)', dpeClasse, withUnit(dpeValeur, 'kWh/m²/an'))}
    ${scale('ges', 'Climat (GES)', gesClasse, withUnit(gesValeur, 'kg CO₂/m²/an'))}
  </div>`;
}

function scale(kind: 'dpe' | 'ges', title: string, letter: string | undefined, value: string | null): Html {
  const said = isClass(letter) ? `classe ${letter}` : (NO_CLASS[letter ?? ''] ?? letter ?? 'classe non communiquée');
  return html`<div class="scale">
    <h3>${title}</h3>
    <ol aria-hidden="true">
      ${CLASSES.map((one) => html`<li class="${kind}-${one}${one === letter ? ' here' : ''}">${one}</li>`)}
    </ol>
    <p>${capital(said)}${value === null ? null : html` · ${value}`}</p>
  </div>`;
}

function isClass(letter: string | undefined): letter is (typeof CLASSES)[number] {
  return CLASSES.some((one) => one === letter);
}

function withUnit(value: number | undefined, unit: string): string | null {
  return value === undefined ? null : `${inFigures(value)} ${unit}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
