import type { EN_CONNECTORS } from './en-connectors';

export const FR_CONNECTORS: typeof EN_CONNECTORS = {
  csvs: {
    title: 'Ajouter beaucoup de passerelles depuis un CSV',
    hint: 'Une ligne de titres, puis une ligne par passerelle :',
    preview: 'Regarder chaque ligne',
    add: (count) => (count === 1 ? 'Ajouter celle-ci' : `Ajouter ces ${count}`),
    checked: (good, bad) =>
      `${good} ${good <= 1 ? 'peut être ajoutée' : 'peuvent être ajoutées'}, ${bad} non. Rien n’est encore enregistré.`,
    done: (good, bad) =>
      `${good} ${good <= 1 ? 'a été ajoutée' : 'ont été ajoutées'}, ${bad} non. Leurs clés ne sont montrées que cette fois.`,
    line: 'Ligne',
    good: 'peut être ajoutée',
    bad: 'non',
    added: 'ajoutée',
    key: 'Clé',
  },
  trying: {
    try: 'Essayer',
    hint: 'Rien n’est enregistré quand vous essayez : le flux est lu ici et maintenant, au plus 200 annonces.',
    found: (listings, records, isCut) =>
      isCut
        ? `Les ${listings} premières annonces, sur ${records} enregistrements. Rien n’est encore enregistré.`
        : `${listings} annonces dans ${records} enregistrements : tout le flux. Rien n’est encore enregistré.`,
    failed: 'Le flux ne peut pas être lu :',
    listings: 'Les premières annonces',
  },
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
    atOnce: (count) => `${count} à la fois`,
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
    meanwhile:
      'Quelqu’un l’a mis en pause autrement entre-temps : rien n’a été fait. La pause d’à présent est ci-dessous.',
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
