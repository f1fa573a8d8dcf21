import type { EnergyState } from '@passerelle/domain';
import type { XmlRecord } from '../../formats/xml-records';
import { certificate, type EnergyFields } from '../../kit/energy';
import { once, type Together } from '../../kit/together';
import * as v from '../../kit/verbs';
import { diagnostic, places } from './places';

/** Exporters spell the names of the fields in several ways. */
export const dpe = {
  label: v.firstOf(v.word, ...diagnostic('dpe_etiquette_conso')),
  primary: v.firstOf(
    v.decimal,
    ...diagnostic('dpe_valeur_conso', 'dpe_valeur_conso_primaire', 'dpe_conso_valeur_total'),
  ),
  emissionLabel: v.firstOf(v.word, ...diagnostic('dpe_etiquette_ges')),
  emissions: v.firstOf(v.decimal, ...diagnostic('dpe_valeur_ges')),
  final: once(v.firstOf(v.decimal, ...diagnostic('dpe_valeur_conso_finale'))),
  date: once(v.firstOf(v.day, ...diagnostic('dpe_date_realisation'))),
  validUntil: v.firstOf(v.day, ...diagnostic('dpe_date_echeance')),
  version: once(v.firstOf(v.text, ...diagnostic('dpe_version'))),
  leastCost: once(v.firstOf(v.money, ...diagnostic('montant_depenses_energies_min', 'dpe_estimation_min'))),
  mostCost: once(v.firstOf(v.money, ...diagnostic('montant_depenses_energies_max', 'dpe_estimation_max'))),
  priceYear: once(
    v.firstOf(
      v.yearOrDay,
      ...diagnostic(
        'date_indice_prix_energies',
        'annee_indice_prix_energies',
        'annees_indices_prix_energies',
        'dpe_annee_reference',
      ),
    ),
  ),
};

const isBlank = places(...diagnostic('dpe_vierge'));
const isUnderWay = places(...diagnostic('dpe_en_cours'));
const isSubject = places(...diagnostic('soumis_dpe'));

function stateOf(record: XmlRecord): EnergyState | undefined {
  if (isBlank.flag(record) === true) return 'vierge';
  if (isSubject.flag(record) === false) return 'non-soumis';
  return isUnderWay.flag(record) === true ? 'en-cours' : undefined;
}

export function energyOf(where: {
  readonly [F in 'pays' | 'codePostal']: v.Verb<XmlRecord, string>;
}): Together<XmlRecord, EnergyFields> {
  return certificate<XmlRecord>((record, context) => ({
    pays: where.pays.read(record, context),
    codePostal: where.codePostal.read(record, context),
    figures: [
      {
        ...{ field: 'dpe_etiquette_conso', classe: dpe.label.read(record, context), statut: stateOf(record) },
        ...{ valeur: dpe.primary.read(record, context), date: dpe.date.read(record, context) },
        ...{ valableJusque: dpe.validUntil.read(record, context), methode: dpe.version.read(record, context) },
        ...{ coutMin: dpe.leastCost.read(record, context), coutMax: dpe.mostCost.read(record, context) },
        prixAnnee: dpe.priceYear.read(record, context),
      },
      {
        grandeur: 'emissions',
        ...{ field: 'dpe_etiquette_ges', classe: dpe.emissionLabel.read(record, context) },
        valeur: dpe.emissions.read(record, context),
      },
      { grandeur: 'energie-finale', field: 'dpe_valeur_conso_finale', valeur: dpe.final.read(record, context) },
    ],
  }));
}
