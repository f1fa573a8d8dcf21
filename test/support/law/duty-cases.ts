import type { EnergyFigure, EnergyScaleName, Listing } from '../../../libs/domain/src';

/** A flat for sale. */
export const advert = (fields: Partial<Listing>): Listing => ({
  ...{ affId: '1', passerelleName: 'demo', photos: [], typeTransaction: 'vente', typeCode: 'appartement' },
  ...fields,
});
const figure = (echelle: EnergyScaleName, rest: Omit<EnergyFigure, 'pays' | 'echelle'>): EnergyFigure => ({
  ...{ pays: echelle === 'UK-EPC' ? 'GB' : echelle.slice(0, 2), echelle },
  ...rest,
});
const primary = (echelle: EnergyScaleName, rest: Partial<EnergyFigure>): EnergyFigure =>
  figure(echelle, { grandeur: 'energie-primaire', ...(rest.valeur !== undefined && { unite: 'kWh/m²/an' }), ...rest });

const LET = { pays: 'FR', prixCurrency: 'EUR', typeTransaction: 'location' } as const;
const FLEMISH = { pays: 'BE', codePostal: '9000' } as const;

/**
 * A test case of a legal duty. `full` has exactly the required facts, `facts` their names, and `texte` the required
 * sentence. The duty does not apply to `unconcerned`.
 */
export interface Case {
  full: Partial<Listing>;
  texte?: string;
  facts: readonly string[];
  unconcerned: Partial<Listing>;
}

export const CASES: Readonly<Record<string, Case>> = {
  'fr-loyer-charges': {
    full: { ...LET, loyerHorsCharges: 800, charges: 120, chargesModalite: 'provision avec régularisation annuelle' },
    texte:
      'Loyer : 920 € par mois charges comprises, dont 120 € de charges récupérables (provision avec régularisation annuelle)',
    facts: ['loyerHorsCharges', 'charges', 'chargesModalite'],
    unconcerned: { typeCode: 'bureau' },
  },
  'fr-depot-garantie': {
    full: { ...LET, depotGarantie: 800 },
    texte: 'Dépôt de garantie : 800 €',
    facts: ['depotGarantie'],
    unconcerned: { typeTransaction: 'vente' },
  },
  'fr-honoraires-locataire': {
    full: { ...LET, honoraires: 450, honorairesUnite: 'montant', honorairesCharge: 'locataire' },
    texte: 'Honoraires charge locataire : 450 € TTC',
    facts: ['honoraires', 'honorairesUnite', 'honorairesCharge'],
    unconcerned: { typeTransaction: 'location-saisonniere' },
  },
  'fr-etat-des-lieux': {
    full: { ...LET, honorairesCharge: 'locataire', honorairesEtatDesLieux: 120 },
    texte: 'Dont 120 € TTC pour la réalisation de l’état des lieux',
    facts: ['honorairesEtatDesLieux'],
    unconcerned: { honorairesCharge: 'vendeur' },
  },
  'fr-encadrement-loyer': {
    full: { ...LET, loyerEncadrement: true, loyerBase: 800, loyerReferenceMajore: 850, loyerComplement: 30 },
    texte:
      'Zone soumise à encadrement des loyers. Loyer de base : 800 €. ' +
      'Loyer de référence majoré (loyer de base à ne pas dépasser) : 850 €. Complément de loyer : 30 €.',
    facts: ['loyerBase', 'loyerReferenceMajore'],
    unconcerned: { loyerEncadrement: false },
  },
  'be-vlg-epc': {
    full: { ...FLEMISH, energie: [primary('BE-VLG', { classe: 'C', valeur: 280, numero: '20240101-1' })] },
    texte: 'EPC-label C, 280 kWh/(m²·jaar), certificaatnummer 20240101-1',
    facts: ['energie.classe', 'energie.valeur', 'energie.numero'],
    unconcerned: { typeCode: 'terrain' },
  },
  'be-wal-peb': {
    full: {
      ...{ pays: 'BE', codePostal: '4000' },
      energie: [
        primary('BE-WAL', { valeur: 25_000, unite: 'kWh/an' }),
        primary('BE-WAL', { classe: 'B', valeur: 150, unite: 'kWh/m²/an', numero: '2024-7' }),
      ],
    },
    texte:
      'PEB : classe B, consommation spécifique d’énergie primaire 150 kWh/m².an, ' +
      'consommation théorique totale d’énergie primaire 25 000 kWh/an, certificat n° 2024-7',
    facts: ['energie.classe', 'energie.valeur', 'energie.numero'],
    unconcerned: { codePostal: '9000' },
  },
  'be-bru-peb': {
    full: {
      ...{ pays: 'BE', codePostal: '1050' },
      energie: [
        primary('BE-BRU', { classe: 'D+', valeur: 190 }),
        figure('BE-BRU', { grandeur: 'emissions', valeur: 38, unite: 'kg CO₂/m²/an' }),
      ],
    },
    texte: 'Certificat PEB : classe D+, 190 kWh/m².an, 38 kg CO₂/m².an',
    facts: ['energie.classe'],
    unconcerned: { codePostal: '1300' },
  },
  'be-vlg-overstroming': {
    full: { ...FLEMISH, inondationP: 'B', inondationG: 'A' },
    texte: 'Overstromingsgevoeligheid: P-score B, G-score A',
    facts: ['inondationP', 'inondationG'],
    unconcerned: { typeTransaction: 'location' },
  },
  'be-vlg-stedenbouw': {
    full: {
      ...{ ...FLEMISH, permisUrbanisme: true, affectationUrbanisme: 'Woongebied', citationUrbanisme: false },
      ...{ droitPreemption: false, permisLotir: true },
    },
    texte:
      'Vergunning uitgereikt; bestemming: Woongebied; geen rechterlijke herstelmaatregel of bestuurlijke maatregel ' +
      'opgelegd; geen voorkooprecht; omgevingsvergunning voor het verkavelen van gronden',
    facts: ['permisUrbanisme', 'affectationUrbanisme', 'citationUrbanisme', 'droitPreemption', 'permisLotir'],
    unconcerned: { codePostal: '4000' },
  },
  'es-certificado-energetico': {
    full: {
      pays: 'ES',
      energie: [
        primary('ES-CEE', { classe: 'E', valeur: 210.5 }),
        figure('ES-CEE', { grandeur: 'emissions', classe: 'D', valeur: 45, unite: 'kg CO₂/m²/an' }),
      ],
    },
    texte: 'Calificación energética: consumo E (210,5 kWh/m² año), emisiones D (45 kg CO₂/m² año)',
    facts: ['energie.classe'],
    unconcerned: { typeCode: 'terrain' },
  },
  'es-numero-registro': {
    full: { pays: 'ES', typeTransaction: 'location-saisonniere', numeroEnregistrement: 'ESFCTU000001' },
    texte: 'Número de registro de alquiler: ESFCTU000001',
    facts: ['numeroEnregistrement'],
    unconcerned: { typeTransaction: 'vente' },
  },
  'gb-epc': {
    full: { pays: 'GB', energie: [figure('UK-EPC', { grandeur: 'note', classe: 'C', valeur: 72 })] },
    texte: 'EPC rating: C (72)',
    facts: ['energie.classe'],
    unconcerned: { typeCode: 'parking' },
  },
  'gb-council-tax': {
    full: { pays: 'GB', bandeCouncilTax: 'D' },
    texte: 'Council tax band: D',
    facts: ['bandeCouncilTax'],
    unconcerned: { typeCode: 'bureau' },
  },
  'gb-tenure': {
    full: {
      ...{ pays: 'GB', prixCurrency: 'GBP', regimePropriete: 'Leasehold', bailAnnees: 92 },
      ...{ redevanceFonciere: { montant: 250, periode: 'an' }, chargesService: { montant: 100, periode: 'mois' } },
    },
    texte: 'Tenure: Leasehold, 92 years remaining. Ground rent: £250 a year. Service charge: £100 a month',
    facts: ['regimePropriete', 'bailAnnees'],
    unconcerned: { typeTransaction: 'location' },
  },
  'gb-price': { full: { pays: 'GB', prix: 350_000 }, facts: ['prix'], unconcerned: { typeCode: 'terrain' } },
  'gb-deposit': {
    full: { pays: 'GB', prixCurrency: 'GBP', typeTransaction: 'location', depotGarantie: 1200 },
    texte: 'Deposit: £1,200',
    facts: ['depotGarantie', 'prixCurrency'],
    unconcerned: { typeTransaction: 'vente' },
  },
  'nl-energielabel': {
    full: { pays: 'NL', energie: [primary('NL-EPL', { classe: 'A++++' })] },
    texte: 'Energielabel: A++++',
    facts: ['energie.classe'],
    unconcerned: { typeTransaction: 'programme' },
  },
  'at-energieausweis': {
    full: {
      pays: 'AT',
      energie: [
        figure('AT-EAVG', { grandeur: 'besoin-chauffage', classe: 'C', valeur: 59, unite: 'kWh/m²/an' }),
        figure('AT-EAVG', { grandeur: 'facteur-efficacite', classe: 'A+', valeur: 0.92, unite: 'fGEE' }),
      ],
    },
    texte: 'HWB 59 kWh/(m²·a) (Klasse C), fGEE 0,92 (Klasse A+)',
    facts: ['energie.valeur'],
    unconcerned: { typeCode: 'parking' },
  },
  'pt-classe-energetica': {
    full: { pays: 'PT', energie: [primary('PT-SCE', { classe: 'B-' })] },
    texte: 'Classe energética: B-',
    facts: ['energie.classe'],
    unconcerned: { typeCode: 'terrain' },
  },
  'lu-passeport-energetique': {
    full: {
      pays: 'LU',
      energie: [primary('LU-CPE', { classe: 'I' }), figure('LU-CPE', { grandeur: 'besoin-chauffage', classe: 'H' })],
    },
    texte: 'Classe de performance énergétique I, classe d’isolation thermique H',
    facts: ['energie.classe'],
    unconcerned: { typeCode: 'bureau' },
  },
};

/** Removes a fact from a listing: a field, or a member of every energy figure. */
export function without(listing: Listing, fact: string): Listing {
  const [field = '', member] = fact.split('.');
  const left: Record<string, unknown> = { ...listing };
  Reflect.deleteProperty(left, field);
  const { energie } = listing;
  if (member === undefined || energie === undefined) return left as unknown as Listing;
  const some = energie.map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => name !== member)));
  return { ...left, energie: some } as unknown as Listing;
}
