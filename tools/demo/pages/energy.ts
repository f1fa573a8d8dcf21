import { ENERGY_SCALES, type EnergyFigure, type EnergyQuantity, type Listing } from '@passerelle/domain';
import { type Html, html } from '@passerelle/html';
import { inFigures } from '../labels';

const COLOURS = ['#00843d', '#2fa84f', '#7fbf3f', '#bfd730', '#f4e70f', '#f7c315', '#f39a1e', '#eb6a23', '#c81d1a'];
const CELL = 40;

const QUANTITY_WORDS: Readonly<Record<EnergyQuantity, string>> = {
  'energie-primaire': 'Énergie',
  'energie-finale': 'Énergie finale',
  emissions: 'Climat (GES)',
  'besoin-chauffage': 'Chauffage',
  'facteur-efficacite': 'Efficacité',
  enveloppe: 'Enveloppe',
  note: 'Note',
  'note-potentielle': 'Note potentielle',
};

export function energyBadge({ energie = [] }: Listing): Html | null {
  const classe = energie.find((figure) => figure.classe !== undefined)?.classe;
  return classe === undefined ? null : html`<span class="badge">Énergie ${classe}</span>`;
}

export function energyLabels({ energie = [] }: Listing): Html[] {
  return energie.map(
    (figure) =>
      html`<figure class="scale">
        ${scaleOf(figure)}
        <figcaption>${inWords(figure)}</figcaption>
      </figure>`,
  );
}

function inWords({ grandeur, classe, valeur, unite = '', statut }: EnergyFigure): string {
  const value = valeur === undefined ? undefined : `${inFigures(valeur)} ${unite}`.trim();
  return `${QUANTITY_WORDS[grandeur]} : ${[classe, value, statut?.replace('-', ' ')].filter((part) => part !== undefined).join(', ')}`;
}

/** Draws the classes of the scale from left to right, with a pointer above the listing's class. */
function scaleOf(figure: EnergyFigure): Html | null {
  const classes: readonly string[] = figure.echelle === undefined ? [] : ENERGY_SCALES[figure.echelle].classes;
  const at = classes.findIndex((one) => one === figure.classe);
  if (at < 0) return null;
  const cells = classes.map((one, index) => {
    const colour = COLOURS[Math.round((index * (COLOURS.length - 1)) / (classes.length - 1))] ?? '';
    const x = index * CELL;
    return html`<rect x="${x}" y="14" width="${CELL}" height="30" fill="${colour}" />
      <text x="${x + CELL / 2}" y="34" text-anchor="middle" font-weight="700">${one}</text>`;
  });
  return html`<svg role="img" aria-label="${inWords(figure)}" viewBox="0 0 ${classes.length * CELL} 48">
    ${cells}
    <path d="M${(at + 0.5) * CELL} 13l-8-12h16z" />
    <rect class="chosen" x="${at * CELL + 1.5}" y="14" width="${CELL - 3}" height="30" />
  </svg>`;
}
