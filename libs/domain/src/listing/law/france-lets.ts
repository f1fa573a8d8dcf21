import { type Advert, type DutyRule, euros, isDwelling, isLet, saying } from './rules';

const LETS = 'Arrêté du 10 janvier 2017, art. 3';

const isDwellingToLet = (advert: Advert): boolean => isDwelling(advert) && isLet(advert);

/** Whether amounts are in euros. Sentences about lets need euros, but an advert may have another currency. */
const isInEuros = ({ prixCurrency = 'EUR' }: Advert): boolean => prixCurrency === 'EUR';

/** Does not guess whether `loyer` includes the charges. */
const rent = saying({
  code: 'fr-loyer-charges',
  source: LETS,
  concerns: isDwellingToLet,
  sentence(advert) {
    const { loyerHorsCharges, charges, chargesModalite } = advert;
    if (charges === undefined || chargesModalite === undefined || !isInEuros(advert)) return undefined;
    const whole =
      advert.loyerChargesComprises ?? (loyerHorsCharges === undefined ? undefined : loyerHorsCharges + charges);
    if (whole === undefined) return undefined;
    return `Loyer : ${euros(whole)} par mois charges comprises, dont ${euros(charges)} de charges récupérables (${chargesModalite})`;
  },
});

const deposit = saying({
  code: 'fr-depot-garantie',
  source: LETS,
  concerns: isDwellingToLet,
  sentence: (advert) =>
    advert.depotGarantie === undefined || !isInEuros(advert)
      ? undefined
      : `Dépôt de garantie : ${euros(advert.depotGarantie)}`,
});

const fees = saying({
  code: 'fr-honoraires-locataire',
  source: LETS,
  concerns: isDwellingToLet,
  sentence(advert) {
    const { honoraires, honorairesCharge, honorairesUnite } = advert;
    if (honoraires === undefined || honorairesCharge !== 'locataire' || honorairesUnite !== 'montant') return undefined;
    return isInEuros(advert) ? `Honoraires charge locataire : ${euros(honoraires)} TTC` : undefined;
  },
});

/** Applies only to agencies that charge fees to the tenant. */
const inventory = saying({
  code: 'fr-etat-des-lieux',
  source: LETS,
  concerns: (advert) => isDwellingToLet(advert) && advert.honorairesCharge === 'locataire',
  sentence: (advert) =>
    advert.honorairesEtatDesLieux === undefined || !isInEuros(advert)
      ? undefined
      : `Dont ${euros(advert.honorairesEtatDesLieux)} TTC pour la réalisation de l’état des lieux`,
});

/** Applies when the feed says that rents are limited; states a supplement if there is one. */
const rentControl = saying({
  code: 'fr-encadrement-loyer',
  source: `${LETS} ; loi n° 2018-1021 du 23 novembre 2018, art. 140`,
  concerns: (advert) => isDwellingToLet(advert) && advert.loyerEncadrement === true,
  sentence(advert) {
    const { loyerBase, loyerReferenceMajore, loyerComplement } = advert;
    if (loyerBase === undefined || loyerReferenceMajore === undefined || !isInEuros(advert)) return undefined;
    const supplement = loyerComplement === undefined ? '' : ` Complément de loyer : ${euros(loyerComplement)}.`;
    return (
      `Zone soumise à encadrement des loyers. Loyer de base : ${euros(loyerBase)}. ` +
      `Loyer de référence majoré (loyer de base à ne pas dépasser) : ${euros(loyerReferenceMajore)}.${supplement}`
    );
  },
});

export const LET_RULES: readonly DutyRule[] = [rent, deposit, fees, inventory, rentControl];
