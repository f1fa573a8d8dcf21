import type { EN_SNAPSHOTS } from './en-snapshots';

export const FR_SNAPSHOTS: typeof EN_SNAPSHOTS = {
  title: 'Listes conservées',
  hint: 'La passerelle peut revenir à chacune d’elles. La source n’est pas interrogée ; la prochaine exécution la lit en entier.',
  published: 'Publiée',
  listings: 'Annonces',
  changes: 'Ajoutées, modifiées, retirées',
  served: 'servie actuellement',
  approved: 'approuvée par un opérateur',
  to: 'Revenir à',
  preview: 'Voir ce qui changerait',
  titleOf: (name) => `Revenir à une liste antérieure de ${name}`,
  effect: (when, removed, added, changed) =>
    `Les sites reçoivent de nouveau la liste publiée ${when} : ${removed} annonces disparaissent, ${added} reviennent, ${changed} changent.`,
  afterwards:
    'La source n’est pas interrogée maintenant. Une exécution qui annulerait ce retour est retenue jusqu’à une décision.',
  revert: 'Revenir à cette liste',
  unconfirmed: 'Un opérateur est revenu à cette liste. Sa source ne l’a pas confirmée depuis.',
  guarded: (since) =>
    `Un opérateur est revenu à une liste antérieure (${since}). Une exécution qui annulerait ce retour est retenue jusqu’à une décision, ou jusqu’à la levée de cette protection.`,
  release: 'Lever la protection',
};
