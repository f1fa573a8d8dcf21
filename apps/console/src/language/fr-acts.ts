import type { EN_BATCH, EN_BULK, EN_FOLLOW_UPS, EN_PUBLISH_ALL, EN_RISK } from './en-acts';

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

export const FR_BULK: typeof EN_BULK = {
  retryAll: (count) => (count === 1 ? 'La réessayer…' : `Réessayer ces ${count}…`),
  title: 'Avec ces passerelles',
  chosen: 'celles qui sont cochées',
  ofPage: (count) => (count === 1 ? 'celle de cette page' : `les ${count} de cette page`),
  everyOne: (count) => `les ${count} que cette recherche trouve`,
  these: (count) => (count <= 1 ? 'Cette passerelle' : `Ces ${count} passerelles`),
  confirm: (count) => `Le faire pour ${count <= 1 ? 'celle-ci' : `ces ${count}`}`,
  none: 'Aucune passerelle n’est choisie.',
  tooMany: (most) => `Au plus ${most} à la fois : précisez la recherche.`,
  done: (count) => (count <= 1 ? `C’est fait pour ${count} passerelle.` : `C’est fait pour ${count} passerelles.`),
  left: (count) => `${count} laissées telles quelles`,
  gone: 'n’existe plus',
  changed: (was, is) => `était ${was}, est maintenant ${is}`,
  already: 'l’est déjà',
  paused: 'est en pause : sa source n’est pas lue',
  repaused: 'a été mise en pause par un autre opérateur entre-temps',
  elsewhere: 'est en pause avec son connecteur ou son hôte',
};

export const FR_FOLLOW_UPS: typeof EN_FOLLOW_UPS = {
  title: 'Note des opérateurs',
  add: 'Prendre en compte, attribuer ou mettre en sourdine…',
  change: 'Modifier la note…',
  note: 'Note',
  assignee: 'Prise en charge par',
  snooze: 'En sourdine jusqu’à (UTC) ; vide : pas en sourdine',
  snoozedUntil: 'en sourdine jusqu’à',
  save: 'Enregistrer la note',
  end: 'Retirer la note',
  snoozed: (count) => (count <= 1 ? `${count} passerelle est en sourdine.` : `${count} passerelles sont en sourdine.`),
};

export const FR_BATCH: typeof EN_BATCH = {
  title: 'Avancement',
  of: (ended, all) => `${ended} exécutions sur ${all} sont terminées.`,
  open: 'Voir l’avancement de ces exécutions',
  rest: 'Exécutions non terminées, échouées ou retenues',
};
