import { ENERGY_SCALES, type EnergyFigure, type EnergyQuantity, type Listing, type TypeCode } from '@passerelle/domain';
import { type Html, html } from '../html';
import { inFigures } from '../labels';

const CLASSES = ['A', 'B', 'C', 'D', 'E', 'F', 'G'] as const;

/** What agencies write in place of a class. */
const NO_CLASS: Readonly<Record<string, string>> = { VI: 'DPE vierge', NS: 'Non soumis au DPE' };

/** No building, no certificate. */
const WITHOUT_CERTIFICATE: readonly (TypeCode | undefined)[] = ['terrain', 'parking'];

const QUANTITY_WORDS: Readonly<Record<EnergyQuantity, string>> = {
  'energie-primaire': 'Énergie primaire',
  'energie-finale': 'Énergie finale',
  'besoin-chauffage': 'Besoin de chauffage',
  'facteur-efficacite': 'Facteur d’efficacité',
  emissions: 'Émissions',
  enveloppe: 'Enveloppe',
  note: 'Note',
  'note-potentielle': 'Note possible',
};

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

/** In France both scales with the listing's place on them; elsewhere what the certificate says, where there is one. */
export function energySection(listing: Listing): Html | null {
  const { dpeClasse, dpeValeur, gesClasse, gesValeur, energie = [] } = listing;
  const body = isFrench(listing)
    ? html`<div class="scales">
        ${scale('dpe', 'Énergie (DPE)', dpeClasse, withUnit(dpeValeur, 'kWh/m²/an'))}
        ${scale('ges', 'Climat (GES)', gesClasse, withUnit(gesValeur, 'kg CO₂/m²/an'))}
      </div>`
    : figures(energie);
  return body === null
    ? null
    : html`<section>
        <h2>Performance énergétique</h2>
        ${body}
      </section>`;
}

function figures(energie: readonly EnergyFigure[]): Html | null {
  const told = energie.flatMap(({ grandeur, classe, valeur, unite = '' }) => {
    const words = [
      ...(classe === undefined ? [] : [`classe ${classe}`]),
      ...(valeur === undefined ? [] : [`${inFigures(valeur)} ${unite}`.trim()]),
    ];
    return words.length === 0 ? [] : [html`<li>${QUANTITY_WORDS[grandeur]} : ${words.join(', ')}</li>`];
  });
  return told.length === 0
    ? null
    : html`<ul>
        ${told}
      </ul>`;
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
