import {
  ENERGY_SCALES,
  type EnergyFigure,
  type EnergyQuantity,
  type EnergyScaleName,
  type Listing,
} from '@passerelle/domain';
import { type Html, html } from '@passerelle/html';
import { inFigures } from '../labels';
import { isFrench } from './energy';
import { type Label, LABELS } from './energy-label-texts';

const GREEN_TO_RED = [
  '#00843d',
  '#2fa84f',
  '#7fbf3f',
  '#bfd730',
  '#f4e70f',
  '#f7c315',
  '#f39a1e',
  '#eb6a23',
  '#c81d1a',
];
const PALE_TO_DARK = ['#a4dbf8', '#8cb4d3', '#8ea7c4', '#5b6a89', '#4d5271', '#393551', '#281b35'];
/** For the French certificate of 2021. */
const OF_FRANCE = ['#00a06d', '#52b153', '#a5cc74', '#f4e70f', '#f0b50f', '#eb8235', '#c81d1a'];

interface EnergyFigures {
  name: string;
  classe: string | undefined;
  value: string | null;
  state: string | null;
}

/** The energy label of a listing as its country draws it, with the same in words; null without a certificate. */
export function energyLabels(listing: Listing): Html | null {
  const energie = listing.energie ?? (isFrench(listing) ? frenchFigures(listing) : []);
  const scale = energie.find(({ echelle }) => echelle !== undefined)?.echelle;
  if (scale === undefined) return null;
  const label = LABELS[scale];
  const charts = label.charts.map((columns, place) => {
    const told = columns.flatMap(([quantity, name]) => figuresOf(label, name, figureOf(energie, quantity)));
    if (told.length === 0) return null;
    const words = `${label.title}. ${told.map(inWords).join('. ')}`;
    const svg = told.some(({ classe }) => classe !== undefined)
      ? label.isBand === true
        ? band(ENERGY_SCALES[scale].classes, told, words)
        : arrows(ENERGY_SCALES[scale].classes, told, { words, colours: coloursOf(scale, place) })
      : null;
    return html`<figure class="scale" lang="${label.language}">
      ${svg}
      <figcaption>${told.map((one) => html`<p>${inWords(one)}</p>`)}</figcaption>
    </figure>`;
  });
  return charts.every((chart) => chart === null) ? null : html`<div class="scales">${charts}</div>`;
}

/** For a listing that has only the French fields. */
function frenchFigures({ dpeClasse, dpeValeur, gesClasse, gesValeur }: Listing): EnergyFigure[] {
  const one = (
    grandeur: EnergyQuantity,
    letter: string | undefined,
    valeur: number | undefined,
    unite: string,
  ): EnergyFigure => {
    const states: Readonly<Record<string, NonNullable<EnergyFigure['statut']>>> = { VI: 'vierge', NS: 'non-soumis' };
    const statut = states[letter ?? ''];
    return {
      ...{ pays: 'FR', echelle: 'FR-DPE', grandeur, unite },
      ...(statut !== undefined ? { statut } : letter !== undefined && { classe: letter }),
      ...(valeur !== undefined && { valeur }),
    };
  };
  return [
    one('energie-primaire', dpeClasse, dpeValeur, 'kWh/m²/an'),
    one('emissions', gesClasse, gesValeur, 'kg CO₂/m²/an'),
  ];
}

/** The sentences that the law of the country requires, each in its language. */
export function mentionList({ mentions = [] }: Listing): Html | null {
  if (mentions.length === 0) return null;
  return html`<ul class="mentions">
    ${mentions.map(({ texte, langue, source }) => html`<li lang="${langue}" title="${source}">${texte}</li>`)}
  </ul>`;
}

/** The one that carries the class, where a certificate has several of one quantity. */
function figureOf(energie: readonly EnergyFigure[], quantity: EnergyQuantity): EnergyFigure | undefined {
  const all = energie.filter(({ grandeur }) => grandeur === quantity);
  return all.find(({ classe }) => classe !== undefined) ?? all[0];
}

function figuresOf(label: Label, name: string, figure: EnergyFigure | undefined): EnergyFigures[] {
  if (figure === undefined) return [];
  const { classe, valeur, unite = '', statut } = figure;
  const value = valeur === undefined ? null : `${inFigures(valeur)} ${unite}`.trim();
  const state = statut === undefined ? null : label.states[statut];
  return classe === undefined && value === null && state === null ? [] : [{ name, classe, value, state }];
}

function inWords({ name, classe, value, state }: EnergyFigures): string {
  return `${name}: ${[classe, value, state].filter((part) => part !== undefined && part !== null).join(', ')}`;
}

function coloursOf(scale: EnergyScaleName, chart: number): readonly string[] {
  return scale === 'FR-DPE' ? (chart === 0 ? OF_FRANCE : PALE_TO_DARK) : GREEN_TO_RED;
}

/** The colour of one of `count` classes, spread over all that there are. */
function colourAt(colours: readonly string[], place: number, count: number): string {
  return colours[Math.round((place * (colours.length - 1)) / (count - 1))] ?? '';
}

const inkOn = (colour: string): string => {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ];
  return red * 0.299 + green * 0.587 + blue * 0.114 > 120 ? '#111' : '#fff';
};

const ROW = 26;
const LABEL_WIDTH = 190;
const COLUMN = 112;

/** An arrow for each class, longer as it is worse; in each column a tag in the row of the class. */
function arrows(
  classes: readonly string[],
  told: readonly EnergyFigures[],
  { words, colours }: { words: string; colours: readonly string[] },
): Html {
  const width = LABEL_WIDTH + told.length * COLUMN;
  const height = (classes.length + 1) * ROW;
  const rows = classes.map((one, place) => {
    const y = (place + 1) * ROW;
    const end = 60 + ((LABEL_WIDTH - 80) * place) / (classes.length - 1);
    const colour = colourAt(colours, place, classes.length);
    return html`<path d="M0 ${y + 2}H${end}l11 11-11 11H0z" fill="${colour}" /><text
        x="8"
        y="${y + 18}"
        fill="${inkOn(colour)}"
        font-weight="700"
        >${one}</text
      >`;
  });
  const tags = told.map(({ name, classe, value }, column) => {
    const x = LABEL_WIDTH + column * COLUMN;
    const place = classes.findIndex((one) => one === classe);
    const y = (place + 1) * ROW;
    const head = html`<text x="${x + COLUMN / 2}" y="16" fill="#111" font-size="11" text-anchor="middle"
      >${name}</text
    >`;
    if (place < 0) return head;
    const number = value?.split(' ')[0] ?? '';
    return html`${head}<path d="M${x + 13} ${y + 1}h${COLUMN - 17}v24h-${COLUMN - 17}l-12-12z" fill="#111" /><text
        x="${x + COLUMN / 2 + 4}"
        y="${y + 18}"
        fill="#fff"
        font-weight="700"
        text-anchor="middle"
        >${classe ?? ''}${number === '' ? '' : ` · ${number}`}</text
      >`;
  });
  return picture(width, height, words, html`${rows}${tags}`);
}

const CELL = 40;

/** One band of all classes, with a pointer above the listing's. */
function band(classes: readonly string[], told: readonly EnergyFigures[], words: string): Html {
  const cells = classes.map((one, place) => {
    const colour = colourAt(GREEN_TO_RED, place, classes.length);
    return html`<rect x="${place * CELL}" y="46" width="${CELL}" height="30" fill="${colour}" /><text
        x="${(place + 0.5) * CELL}"
        y="66"
        fill="${inkOn(colour)}"
        font-weight="700"
        text-anchor="middle"
        >${one}</text
      >`;
  });
  const pointers = told.map(({ classe, value }) => {
    const place = classes.findIndex((one) => one === classe);
    if (place < 0) return null;
    const x = (place + 0.5) * CELL;
    const middle = Math.min(Math.max(x, 70), classes.length * CELL - 70);
    return html`<path d="M${x} 44l-9-14h18z" fill="#111" /><text
        x="${middle}"
        y="22"
        fill="#111"
        font-weight="700"
        text-anchor="middle"
        >${value ?? classe ?? ''}</text
      >`;
  });
  return picture(classes.length * CELL, 80, words, html`${cells}${pointers}`);
}

function picture(width: number, height: number, words: string, body: Html): Html {
  return html`<svg
    role="img"
    aria-label="${words}"
    viewBox="0 0 ${width} ${height}"
    width="${width}"
    height="${height}"
    font-family="inherit"
    font-size="14"
  >
    ${body}
  </svg>`;
}
