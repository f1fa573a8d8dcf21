import { ENERGY_BASES, ENERGY_QUANTITIES, ENERGY_SCALES, ENERGY_STATES, RENT_PERIODS } from '@passerelle/domain';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const COUNTRY = /^[A-Z]{2}$/;
const URL = /^https?:\/\/[^\s"<>]+$/;

/** The caller's check of a text. */
type TextCheck = (name: string, value: unknown) => string[];
type Check = (value: unknown, name: string, checkText: TextCheck) => string[];

/** Checks each member of an object by name, and the presence of required members. */
function members(checks: Readonly<Record<string, Check>>, required: readonly string[]): Check {
  return (value, name, checkText) => {
    if (typeof value !== 'object' || value === null) return [`${name} is no object`];
    return [
      ...required.filter((member) => !Object.hasOwn(value, member)).map((member) => `${name} has no ${member}`),
      ...Object.entries(value).flatMap(([member, one]: [string, unknown]) => {
        const check = checks[member];
        return check === undefined
          ? [`${name}.${member} is not in the vocabulary`]
          : check(one, `${name}.${member}`, checkText);
      }),
    ];
  };
}

function each(check: Check): Check {
  return (value, name, checkText) => {
    if (!Array.isArray(value) || value.length === 0) return [`${name} is empty`];
    return value.flatMap((one, at) => check(one, `${name}.${at}`, checkText));
  };
}

const text: Check = (value, name, checkText) => checkText(name, value);
const positive: Check = (value, name) =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? [] : [`${name} is ${String(value)}`];
const flag: Check = (value, name) => (typeof value === 'boolean' ? [] : [`${name} is not true or false`]);
const like =
  (pattern: RegExp): Check =>
  (value, name) =>
    typeof value === 'string' && pattern.test(value) ? [] : [`${name} is "${String(value)}"`];
const oneOf =
  (words: readonly string[]): Check =>
  (value, name) =>
    words.some((word) => word === value) ? [] : [`${name} "${String(value)}" is not a word of ours`];

const figure = members(
  {
    ...{ pays: like(COUNTRY), echelle: oneOf(Object.keys(ENERGY_SCALES)), grandeur: oneOf(ENERGY_QUANTITIES) },
    ...{ classe: text, valeur: positive, unite: text, base: oneOf(ENERGY_BASES), vecteurs: each(text) },
    ...{ numero: text, date: like(DAY), valableJusque: like(DAY), coutMin: positive, coutMax: positive },
    ...{ prixAnnee: text, methode: text, annee: positive, eauChaude: flag, electricite: flag },
    statut: oneOf(ENERGY_STATES),
  },
  ['pays', 'grandeur'],
);

/** The class must exist on the scale that the figure names. */
const energyFigure: Check = (value, name, checkText) => {
  const problems = figure(value, name, checkText);
  const { classe, echelle } = value as { classe?: string; echelle?: keyof typeof ENERGY_SCALES };
  const classes: readonly string[] = echelle === undefined ? [] : ENERGY_SCALES[echelle].classes;
  if (classe !== undefined && !classes.includes(classe)) problems.push(`${name}.classe ${classe} is on no such scale`);
  return problems;
};

/** Checks for kinds of fields whose values are lists or objects. */
export const KIND_CHECKS = {
  language: like(/^[a-z]{2}$/),
  words: each(text),
  range: (value, name, checkText) =>
    Object.keys(value as object).length === 0
      ? [`${name} is empty`]
      : members({ min: positive, max: positive }, [])(value, name, checkText),
  periodic: members({ montant: positive, periode: oneOf(RENT_PERIODS) }, ['montant']),
  links: each(members({ url: like(URL), titre: text, empreinte: like(/^[0-9a-f]{16}$/) }, ['url', 'empreinte'])),
  energy: each(energyFigure),
  mentions: each(
    members({ code: text, pays: like(COUNTRY), langue: like(/^[a-z]{2}$/), texte: text, source: text }, [
      ...['code', 'pays', 'langue', 'texte', 'source'],
    ]),
  ),
  facts: each(members({ partie: oneOf(['A', 'B', 'C']), sujet: text, texte: text }, ['partie', 'sujet', 'texte'])),
} as const satisfies Readonly<Record<string, Check>>;
