import { LET_RULES } from './france-lets';
import {
  type Advert,
  type CountryRules,
  type DutyRule,
  euros,
  hasEnergyState,
  isDwelling,
  isSale,
  isSaleOrLet,
} from './rules';

const inFigures = new Intl.NumberFormat('fr-FR');
const CCH = 'Code de la construction et de l’habitation';

const isHousingOnOffer = (advert: Advert): boolean => isDwelling(advert) && isSaleOrLet(advert);

const energy: DutyRule = {
  code: 'fr-dpe',
  source: `${CCH}, art. L. 126-33`,
  concerns: isHousingOnOffer,
  isMet: (advert) => (advert.dpeClasse !== undefined && advert.gesClasse !== undefined) || hasEnergyState(advert),
};

/** Applies only to classes F and G. */
const excessive: DutyRule = {
  code: 'fr-consommation-excessive',
  source: `${CCH}, art. L. 173-2 ; arrêté du 22 décembre 2021`,
  concerns: (advert) => isHousingOnOffer(advert) && /^[FG]$/.test(advert.dpeClasse ?? ''),
  isMet: () => true,
  sentence: ({ dpeClasse = '' }) => `Logement à consommation énergétique excessive : classe ${dpeClasse}`,
};

const costs: DutyRule = {
  code: 'fr-depenses-energie',
  source: 'Décret n° 2020-1609 du 17 décembre 2020',
  concerns: (advert) => isHousingOnOffer(advert) && /^[A-G]$/.test(advert.dpeClasse ?? ''),
  isMet: (advert) => costsSentence(advert) !== undefined,
  sentence: costsSentence,
};

function costsSentence({ dpeCoutMin, dpeCoutMax, dpeAnneeReference, prixCurrency }: Advert): string | undefined {
  if (dpeCoutMin === undefined || dpeCoutMax === undefined || dpeAnneeReference === undefined) return undefined;
  if (prixCurrency !== undefined && prixCurrency !== 'EUR') return undefined;
  return (
    'Montant estimé des dépenses annuelles d’énergie pour un usage standard : ' +
    `entre ${euros(dpeCoutMin)} et ${euros(dpeCoutMax)} par an. ` +
    `Année de référence des prix de l’énergie : ${dpeAnneeReference.slice(0, 4)}`
  );
}

const RISKS =
  'Les informations sur les risques auxquels ce bien est exposé sont disponibles sur le site Géorisques : www.georisques.gouv.fr';

/** The duty is met if the feed says yes or no, or if the text names the website. The rule guesses neither yes nor no. */
const risks: DutyRule = {
  code: 'fr-georisques',
  source: 'Code de l’environnement, art. L. 125-5 ; décret n° 2022-1289 du 1er octobre 2022',
  concerns: isSaleOrLet,
  isMet: ({ georisques, commentaires }) => georisques !== undefined || /georisques\.gouv\.fr/i.test(commentaires ?? ''),
  sentence: ({ georisques }) => (georisques === true ? RISKS : undefined),
};

const fees: DutyRule = {
  code: 'fr-honoraires',
  source: 'Arrêté du 10 janvier 2017',
  concerns: isSale,
  isMet: (advert) => feesSentence(advert) !== undefined,
  sentence: feesSentence,
};

function feesSentence({
  honorairesCharge,
  honoraires,
  honorairesUnite,
  prixHorsHonoraires,
}: Advert): string | undefined {
  if (honorairesCharge === 'vendeur') return 'Honoraires à la charge du vendeur';
  if (honorairesCharge !== 'acquereur' || prixHorsHonoraires === undefined) return undefined;
  if (honoraires === undefined || honorairesUnite !== 'pourcentage') return undefined;
  return (
    `Honoraires : ${inFigures.format(honoraires)} % TTC à la charge de l’acquéreur. ` +
    `Prix hors honoraires : ${euros(prixHorsHonoraires)}`
  );
}

const coOwnership: DutyRule = {
  code: 'fr-copropriete',
  source: `${CCH}, art. L. 721-1`,
  concerns: (advert) => isSale(advert) && advert.copropriete === true,
  isMet: (advert) => coOwnershipSentence(advert) !== undefined,
  sentence: coOwnershipSentence,
};

function coOwnershipSentence({ copropriete, coproLots, coproCharges, coproProcedure }: Advert): string | undefined {
  if (copropriete !== true || coproLots === undefined || coproCharges === undefined || coproProcedure === undefined)
    return undefined;
  const procedure = coproProcedure ? 'Procédure en cours' : 'Pas de procédure en cours';
  return `Copropriété de ${inFigures.format(coproLots)} lots. Charges annuelles : ${euros(coproCharges)}. ${procedure}`;
}

export const FRANCE: CountryRules = {
  country: 'FR',
  language: 'fr',
  rules: [energy, excessive, costs, risks, fees, coOwnership, ...LET_RULES],
};
