import type { EN_CHART, EN_LISTINGS, EN_MEMORY, EN_VIEWS } from './en-listings';

export const FR_VIEWS: typeof EN_VIEWS = {
  title: 'Vues enregistrées',
  keep: 'Enregistrer cette vue',
  name: 'Son nom, pour tous les opérateurs',
  remove: 'Supprimer la vue',
};

export const FR_CHART: typeof EN_CHART = {
  title: 'Annonces et changements sur 90 jours',
  nothing: 'Rien n’a encore été publié.',
  label: (first, last, days) =>
    `De ${first} à ${last} annonces en ${days} jour${days === 1 ? '' : 's'} ; les barres montrent les annonces ajoutées, modifiées et retirées.`,
  figures: 'Les jours en chiffres',
  day: 'Jour (UTC)',
};

export const FR_MEMORY: typeof EN_MEMORY = {
  title: 'Détection des changements',
  nothing: 'Rien n’est encore publié : la prochaine exécution lira tout.',
  marks: {
    answer: 'Sa source dit si elle a changé : sinon, une exécution ne télécharge rien.',
    file: 'L’heure et la taille de son fichier disent s’il a changé : sinon, une exécution ne télécharge rien.',
    bytes: 'Sa source ne dit pas si elle a changé : chaque exécution télécharge tout le flux et en compare les octets.',
    records: 'Chaque exécution compare ses fiches à celles qui sont publiées, et convertit celles qui diffèrent.',
  },
  size: 'Octets du flux',
  known: 'Fiches connues',
  whole: 'Liste entière lue',
  changes: 'Changements demandés',
  removal: 'Dernier retrait',
  anew: 'Tout demandé de nouveau depuis',
  kept: 'Fiches gardées jusqu’à la publication',
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
  record: 'La fiche, champ par champ',
  recordHint:
    'La fiche brute, à côté des champs de l’annonce qui changent quand la fiche y a une autre valeur, ou aucune.',
  became: 'Change dans l’annonce',
  required: 'obligatoire : sans cette valeur, il n’y a pas d’annonce.',
  alike: 'pas essayé ; la même valeur est dans',
  notTried: 'pas essayé',
  notUsed: (unless) =>
    unless.length === 0
      ? 'inutilisé : l’annonce est la même sans lui'
      : `inutilisé, sauf peut-être avec des données qui ne sont pas affichées ici, pour ${unless.join(', ')}`,
  made: 'Champs de l’annonce qu’aucun champ seul ne change',
  differences: 'Différences',
  toAgency: 'À envoyer à l’agence',
  agency: {
    listed: (id, day) =>
      `Votre annonce ${id} est en ligne : votre site la reçoit${day === '' ? '' : ` dans sa version du ${day}`}.`,
    removed: {
      absent: (id, day) =>
        `Votre logiciel n’envoie plus l’annonce ${id} depuis le ${day}. Vérifiez que sa diffusion sur votre site y est cochée.`,
      withdrawn: (id, day) =>
        `Votre logiciel dit depuis le ${day} que l’annonce ${id} ne doit pas être montrée. Vérifiez son statut et sa diffusion dans ce logiciel.`,
      rejected: (id, day) =>
        `L’annonce ${id} ne peut plus être montrée depuis le ${day}, car ses données sont inutilisables. Vérifiez-la dans le logiciel.`,
      revert: (id, day) =>
        `Le ${day}, nous sommes revenus à une liste antérieure de votre agence, qui ne contient pas l’annonce ${id}. Vous n’avez rien à faire : elle reparaîtra quand nous prendrons la liste suivante.`,
    },
    rejected: (id, field, why, day) =>
      `Votre logiciel envoie l’annonce ${id}, mais elle ne peut pas être montrée${field === '' ? '' : ` à cause de son champ « ${field} »`} (${why}, le ${day}). Corrigez-la dans le logiciel : elle paraîtra à la prochaine mise à jour.`,
    withdrawn: (id, day) =>
      `Votre logiciel dit depuis le ${day} que l’annonce ${id} ne doit pas être montrée. Vérifiez son statut et sa diffusion dans ce logiciel.`,
    kept: (id, why, day) =>
      `Depuis le ${day}, les mises à jour de l’annonce ${id} sont inutilisables (${why}). Sa version précédente reste en ligne quelques jours. Corrigez-la dans le logiciel.`,
    held: (id, day) =>
      `Votre logiciel a envoyé l’annonce ${id} le ${day}. Cette mise à jour diffère tant de la précédente que nous la vérifions d’abord.`,
    unread: (id) => `Nous n’avons encore reçu aucune liste de votre logiciel, et donc pas l’annonce ${id}.`,
    unknown: (id, day) =>
      `La liste que votre logiciel a envoyée le ${day} ne contient pas d’annonce ${id}. Vérifiez sa référence, et que sa diffusion sur votre site y est cochée.`,
  },
  rejections: {
    malformed: 'illisible',
    missing_id: 'sans identifiant',
    missing_field: 'il manque un champ obligatoire',
    invalid_value: 'une valeur impossible',
    too_large: 'trop longue',
    too_slow: 'trop longue à convertir',
    withdrawn: 'ne doit pas, ou plus, être montrée',
  },
  warnings: {
    unknown_word: 'un mot inconnu',
    unmapped_field: 'un champ inconnu',
    photo_missing: 'le fichier manque (photo, plan ou document)',
    photo_refused: 'le fichier ne peut pas être montré (photo, plan ou document)',
    photo_invalid: 'pas d’adresse utilisable',
    duplicate_id: 'deux fois dans le flux',
    implausible_value: 'une valeur impossible',
    wrong_encoding: 'un autre encodage que celui déclaré',
    unknown_element: 'un élément inconnu',
    declared_count: 'le nombre déclaré est faux',
    duty_missing: 'il manque des données exigées par la loi',
    not_remapped: 'fiche à relire à la source avec la nouvelle correspondance',
    alternating_list: 'la source alterne entre deux listes',
    missed_call: 'la source n’a pas appelé',
    unanswered: 'a été demandé et n’a pas été livré',
    extra_request_failed: 'n’a pas pu être téléchargé',
  },
};
