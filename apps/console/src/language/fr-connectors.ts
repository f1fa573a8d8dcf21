import type { EN_CONNECTORS } from './en-connectors';

/** The same in French. */
export const FR_CONNECTORS: typeof EN_CONNECTORS = {
  adding: {
    title: 'Ajouter une passerelle',
    choose: 'De quel connecteur est-elle ?',
    add: 'L’ajouter',
    added: 'Elle est ajoutée. Sa clé, montrée cette seule fois :',
    hints: {
      client: 'lettres, chiffres, « - » et « _ »',
      source: 'l’adresse du flux',
      every: '90s, 50m, 12h, 7d ; vide : comme l’importateur est réglé',
      'contract-end': 'le dernier jour où elle sert ; vide : aucun',
    },
  },
  connectors: {
    failed: 'Échecs du dernier jour',
    failedOf: (share, runs) => `${share} de ${runs}`,
    rates: 'Requêtes permises par l’éditeur',
    quota: (second, day, host) => `${second} par seconde et ${day} par jour, chez ${host}`,
    notes: 'Ce que c’est',
    unknown: 'Cette version ne connaît pas le connecteur.',
    sources: {
      document: 'Un fichier : https:, http:, ftp:, ftps: ou sftp:, ou file: pour un fichier de la boîte',
      pages: 'Une API : https: ou http:',
      pushed: 'Une API qui appelle : https: ou http:',
    },
  },
  pausing: {
    until: 'Jusqu’à (UTC) ; vide : jusqu’à la reprise',
    told: 'Elle est dite aux sites.',
    reasonMissing: 'Il manque la raison : elle dit aux sites pourquoi leur liste vieillit.',
    untilWrong: 'La fin de la pause n’est pas un moment à venir.',
    untilTime: 'jusqu’à',
    untilResumed: 'jusqu’à la reprise',
    by: (name) => `par ${name}`,
    list: 'Ce qui est en pause',
    nothing: 'Rien n’est en pause.',
    what: 'Quoi',
    terms: 'Combien de temps et pourquoi',
    host: 'hôte',
    pauseSome: 'Mettre en pause un connecteur ou un hôte',
    someHint:
      'Avec les deux, les seules sources de ce connecteur sur cet hôte. Une passerelle se met en pause sur sa page.',
    hostHint: 'Hôte des sources, comme feeds.example.org ; vide : tous',
    dryRuns: 'Un essai à blanc montre si la source va de nouveau bien.',
  },
};
