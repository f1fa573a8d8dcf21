import type { EN_CHART, EN_LISTINGS, EN_MEMORY, EN_VIEWS } from './en-listings';

export const FR_VIEWS: typeof EN_VIEWS = {
  title: 'Vues gardées',
  keep: 'Garder cette vue',
  name: 'Son nom, pour tous les opérateurs',
  remove: 'La retirer',
};

export const FR_CHART: typeof EN_CHART = {
  title: 'Annonces et changements sur 90 jours',
  nothing: 'Rien n’a encore été publié.',
  label: (first, last, days) =>
    `De ${first} à ${last} annonces en ${days} jour${days === 1 ? '' : 's'} ; les barres sont ce qui est venu, a changé ou est parti.`,
  figures: 'Les jours en chiffres',
  day: 'Jour (UTC)',
};

export const FR_MEMORY: typeof EN_MEMORY = {
  title: 'Ce qui est retenu de sa source',
  nothing: 'Rien n’est encore publié : la prochaine exécution lira tout.',
  marks: {
    answer: 'Sa source dit si elle a changé : sinon, une exécution ne télécharge rien.',
    file: 'L’heure et la taille de son fichier disent s’il a changé : sinon, une exécution ne télécharge rien.',
    bytes: 'Sa source ne dit pas si elle a changé : chaque exécution télécharge tout le flux et en compare les octets.',
    records: 'Chaque exécution compare ses enregistrements à ceux qui sont publiés, et traduit ceux qui diffèrent.',
  },
  size: 'Octets du flux',
  known: 'Enregistrements connus',
  whole: 'Liste entière lue',
  changes: 'Changements demandés',
  removal: 'Dernier retrait',
  anew: 'Tout redemandé depuis',
  kept: 'Enregistrements gardés jusqu’à la publication',
};

export const FR_LISTINGS: typeof EN_LISTINGS = {
  states: {
    listed: 'servie',
    removed: 'retirée',
    rejected: 'rejetée',
    withdrawn: 'supprimée par le CRM',
    held: 'retenue',
    unknown: 'inconnue',
  },
  since: 'Depuis',
  keptSince: 'Illisible depuis ; la dernière version publiée est servie',
  record: 'L’enregistrement, champ par champ',
  recordHint:
    'Tel qu’il est venu, à côté des champs de l’annonce qui ont la même valeur, ou qui seraient autres sans lui.',
  became: 'Dans l’annonce',
  notAsItIs: 'nulle part tel quel : traduit, ou sans usage',
  makes: 'décide de',
  notUsed: (unless) =>
    unless.length === 0
      ? 'sans usage : l’annonce est la même sans lui'
      : `sans usage, sauf avec ce qui n’est pas montré ici, pour ${unless.join(', ')}`,
  made: 'Ce qui a été traduit, calculé ou composé',
  differences: 'Différences',
  toAgency: 'À envoyer à l’agence',
  agency: {
    listed: (id) => `Votre annonce ${id} est en ligne : elle est dans la liste que votre site va chercher.`,
    removed: (id, when) =>
      `Votre logiciel n’envoie plus l’annonce ${id} (depuis ${when}). Vérifiez qu’elle y est cochée pour la diffusion sur votre site.`,
    rejected: (id, field, why) =>
      `Votre logiciel envoie l’annonce ${id}, mais elle ne peut pas être montrée${field === '' ? '' : ` à cause de son champ « ${field} »`} (${why}). Corrigez-la dans le logiciel : elle paraîtra à la prochaine mise à jour.`,
    withdrawn: (id) =>
      `Votre logiciel dit que l’annonce ${id} n’est pas à montrer. Vérifiez-y son statut et sa diffusion.`,
    kept: (id, why) =>
      `La dernière mise à jour de l’annonce ${id} ne peut pas être utilisée (${why}). Sa version précédente reste en ligne quelques jours. Corrigez-la dans le logiciel.`,
    held: (id) =>
      `Votre logiciel a envoyé l’annonce ${id}. Sa dernière mise à jour diffère tant de la précédente que nous la regardons d’abord.`,
    unknown: (id) =>
      `Votre logiciel n’a jamais envoyé d’annonce ${id}. Vérifiez qu’elle y est cochée pour la diffusion sur votre site, et sa référence.`,
  },
  rejections: {
    malformed: 'illisible',
    missing_id: 'sans identifiant',
    missing_field: 'il manque l’indispensable',
    invalid_value: 'une valeur impossible',
    too_large: 'trop longue',
    too_slow: 'trop longue à lire',
    withdrawn: 'à ne pas montrer, ou plus',
  },
  warnings: {
    unknown_word: 'un mot que nous ne connaissons pas',
    unmapped_field: 'un champ que nous ne connaissons pas',
    photo_missing: 'la photo n’est pas venue',
    photo_refused: 'la photo ne peut pas être montrée',
    photo_invalid: 'pas d’adresse utilisable',
    duplicate_id: 'deux fois dans le flux',
    implausible_value: 'ne peut pas être juste',
    wrong_encoding: 'dans un autre codage que déclaré',
    unknown_element: 'un élément que rien ne lit',
    declared_count: 'un autre nombre que déclaré',
    duty_missing: 'la loi demande davantage',
    missed_call: 'la source n’a pas appelé',
    unanswered: 'n’est pas venu quand il a été demandé',
    extra_request_failed: 'n’a pas pu être lu',
  },
};
