import { type Advert, type DutyRule, euros, isDwelling, isLet, saying } from './rules';

const LETS = 'Arrêté du 10 janvier 2017, art. 3';

const isDwellingToLet = (advert: Advert): boolean => isDwelling(advert) && isLet(advert);

/** The fields of amounts are in the advert's currency: the sentences are in euros. */
const isInEuros = ({ prixCurrency = 'EUR' }: Advert): boolean => prixCurrency === 'EUR';

/** Rent with charges, how much the charges are, and how they are settled. Whether `loyer` has them is not guessed. */
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

/** Of those who take fees from the tenant at all. */
const inventory = saying({
  code: 'fr-etat-des-lieux',
  source: LETS,
  concerns: (advert) => isDwellingToLet(advert) && advert.honorairesCharge === 'locataire',
  sentence: (advert) =>
    advert.honorairesEtatDesLieux === undefined || !isInEuros(advert)
      ? undefined
      : `Dont ${euros(advert.honorairesEtatDesLieux)} TTC pour la réalisation de l’état des lieux`,
});

/** Where the feed says that rents are limited; a supplement is said where there is one. */
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

/** What the advert of a dwelling to let must say beside the rest. */
export const LET_RULES: readonly DutyRule[] = [rent, deposit, fees, inventory, rentControl];
