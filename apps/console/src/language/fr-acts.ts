import type { EN_PUBLISH_ALL, EN_RISK } from './en-acts';

export const FR_RISK: typeof EN_RISK = {
  disable:
    'Ses sites reçoivent 403 immédiatement et peuvent retirer leurs annonces. Ses données sont conservées, et l’activer annule cet effet.',
  publish: (removed, added, changed) =>
    `Publier remplace la liste que reçoivent les sites : ${removed} annonces disparaissent, ${added} arrivent, ${changed} changent. Écarter ne peut plus l’annuler ensuite.`,
  discard: 'Écarter ne change rien pour les sites : ils reçoivent toujours la liste servie actuellement.',
  tooLong: (most, length) => `Une raison a au plus ${most} caractères, et celle-ci en a ${length}.`,
  kept: 'Votre texte, qui n’a pas été enregistré',
  signedOut: 'Votre session est terminée, et rien n’a été modifié. Connectez-vous et renvoyez le formulaire.',
};

export const FR_PUBLISH_ALL: typeof EN_PUBLISH_ALL = {
  title: 'Exécutions retenues à cause d’une nouvelle version d’un connecteur',
  sentence: (runs) =>
    `${runs} ${runs === 1 ? 'exécution est retenue' : 'exécutions sont retenues'} seulement parce qu’une nouvelle version du connecteur retire des annonces vendues, louées ou retirées de la vente.`,
  button: 'Les publier toutes',
};
