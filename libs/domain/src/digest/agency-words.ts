import type { RejectionCode } from '../run/rejection';

export type LetterLanguage = 'fr' | 'en';
type Words = Readonly<Record<LetterLanguage, string>>;

/** The advice for duties that only need the energy certificate. */
export const ADVICE: Words = {
  fr: 'Saisissez le certificat énergétique dans votre logiciel, avec toutes ses valeurs.',
  en: 'Enter the energy certificate in your CRM, with all of its figures.',
};

const words = (fr: string, en: string): Words => ({ fr, en });
const same = (name: string): Words => ({ fr: name, en: name });

/** The subject of each duty, and what to enter in the CRM; without `advice`, `ADVICE` applies. */
export const DUTIES: Readonly<Record<string, { name: Words; advice?: Words }>> = {
  'fr-dpe': {
    name: words('Classes énergie et climat (DPE)', 'Energy and climate classes (DPE)'),
    advice: words(
      'Saisissez les deux classes du DPE. Si le bien n’y est pas soumis, indiquez-le dans le logiciel.',
      'Enter both classes of the DPE. If the property needs none, say so in the CRM.',
    ),
  },
  'fr-consommation-excessive': {
    name: words('Mention des classes F et G', 'Statement for the classes F and G'),
    advice: words('Saisissez la classe du DPE.', 'Enter the class of the DPE.'),
  },
  'fr-depenses-energie': {
    name: words('Dépenses annuelles d’énergie', 'Yearly energy costs'),
    advice: words(
      'Saisissez les dépenses minimale et maximale du DPE, et l’année de référence des prix.',
      'Enter the lowest and highest costs of the DPE, and the year of their prices.',
    ),
  },
  'fr-georisques': {
    name: words('Risques naturels et technologiques', 'Natural and technological risks'),
    advice: words(
      'Indiquez que le bien est exposé à des risques, ou ajoutez au texte la phrase qui cite www.georisques.gouv.fr.',
      'Say that the property is exposed to risks, or add the sentence with www.georisques.gouv.fr to the text.',
    ),
  },
  'fr-honoraires': {
    name: words('Honoraires d’une vente', 'Agency fees of a sale'),
    advice: words(
      'Indiquez qui paie les honoraires. Si c’est l’acquéreur, saisissez leur pourcentage et le prix hors honoraires.',
      'Enter who pays the fees. If the buyer pays them, enter their share and the price without them.',
    ),
  },
  'fr-copropriete': {
    name: words('Copropriété', 'Co-ownership'),
    advice: words(
      'Saisissez le nombre de lots, les charges annuelles et l’existence d’une procédure.',
      'Enter the number of lots, the yearly charges, and whether there are proceedings.',
    ),
  },
  'fr-loyer-charges': {
    name: words('Loyer charges comprises', 'Rent with charges'),
    advice: words(
      'Saisissez le loyer mensuel charges comprises, les charges et leur mode de règlement.',
      'Enter the monthly rent with charges, the charges, and how they are settled.',
    ),
  },
  'fr-depot-garantie': {
    name: words('Dépôt de garantie', 'Deposit'),
    advice: words('Saisissez le dépôt de garantie ; 0 s’il n’y en a pas.', 'Enter the deposit; 0 if there is none.'),
  },
  'fr-honoraires-locataire': {
    name: words('Honoraires du locataire', 'Fees of the tenant'),
    advice: words(
      'Saisissez les honoraires à la charge du locataire, TTC.',
      'Enter the fees that the tenant pays, with VAT.',
    ),
  },
  'fr-etat-des-lieux': {
    name: words('Coût de l’état des lieux', 'Cost of the inventory'),
    advice: words(
      'Saisissez le coût de l’état des lieux si le locataire paie des honoraires.',
      'Enter the cost of the inventory, if the tenant pays fees.',
    ),
  },
  'fr-encadrement-loyer': {
    name: words('Encadrement des loyers', 'Limited rents'),
    advice: words(
      'Saisissez le loyer de base, le loyer de référence majoré et le complément de loyer s’il y en a un.',
      'Enter the base rent, the highest reference rent, and the supplement if there is one.',
    ),
  },
  'de-energieausweis': { name: same('Energieausweis') },
  'it-prestazione-energetica': { name: same('Prestazione energetica') },
  'es-certificado-energetico': { name: same('Certificado energético') },
  'be-vlg-epc': { name: same('EPC (Vlaanderen)') },
  'be-wal-peb': { name: same('PEB (Wallonie)') },
  'be-bru-peb': { name: same('PEB (Bruxelles)') },
  'nl-energielabel': { name: same('Energielabel') },
  'at-energieausweis': { name: same('Energieausweis (HWB, fGEE)') },
  'pt-classe-energetica': { name: same('Classe energética') },
  'lu-passeport-energetique': { name: same('Passeport énergétique') },
  'gb-epc': { name: same('EPC') },
  'be-vlg-overstroming': {
    name: same('Overstromingsgevoeligheid'),
    advice: words(
      'Saisissez le score P et, s’il y a un bâtiment, le score G.',
      'Enter the P-score and, if there is a building, the G-score.',
    ),
  },
  'be-vlg-stedenbouw': {
    name: same('Stedenbouwkundige informatie'),
    advice: words(
      'Saisissez les cinq informations d’urbanisme : permis, affectation, citation ou mesures, préemption, lotissement.',
      'Enter the five planning facts: permit, destination, summons or measures, pre-emption, division of land.',
    ),
  },
  'es-numero-registro': {
    name: same('Número de registro'),
    advice: words(
      'Saisissez le numéro d’enregistrement de la location de courte durée.',
      'Enter the registration number of the short let.',
    ),
  },
  'gb-council-tax': {
    name: same('Council tax'),
    advice: words('Saisissez la tranche de la council tax.', 'Enter the council tax band.'),
  },
  'gb-tenure': {
    name: same('Tenure'),
    advice: words(
      'Saisissez le régime de propriété et, pour un bail, les années restantes.',
      'Enter the tenure and, for a lease, its remaining years.',
    ),
  },
  'gb-price': {
    name: words('Prix', 'Price'),
    advice: words('Saisissez le prix ou le loyer.', 'Enter the price or the rent.'),
  },
  'gb-deposit': {
    name: words('Dépôt de garantie', 'Deposit'),
    advice: words('Saisissez le dépôt de garantie ; 0 s’il n’y en a pas.', 'Enter the deposit; 0 if there is none.'),
  },
};

/** Why a record has no listing, and what to change. */
export const REJECTIONS: Readonly<Record<RejectionCode, Words>> = {
  malformed: words(
    'la fiche est illisible ; exportez-la de nouveau, ou prévenez l’éditeur de votre logiciel.',
    'the record is unreadable; export it again, or tell the maker of your software.',
  ),
  missing_id: words(
    'la fiche n’a pas d’identifiant ; donnez-lui une référence.',
    'the record has no identifier; give it a reference.',
  ),
  missing_field: words('un champ obligatoire est vide ; remplissez-le.', 'a required field is empty; fill it in.'),
  invalid_value: words(
    'la valeur d’un champ n’est pas valable ; corrigez-la.',
    'the value of a field is not valid; correct it.',
  ),
  too_large: words(
    'la fiche est trop volumineuse ; réduisez ses textes ou ses photos.',
    'the record is too large; shorten its texts or photos.',
  ),
  too_slow: words(
    'la fiche est trop complexe ; simplifiez son texte.',
    'the record is too complex; simplify its text.',
  ),
  withdrawn: words('la fiche est marquée comme non publiable.', 'the record is marked as not to be shown.'),
};
