import type { EN_CONNECTORS } from './en-connectors';

export const FR_CONNECTORS: typeof EN_CONNECTORS = {
  csvs: {
    title: 'Ajouter beaucoup de passerelles depuis un CSV',
    file: 'Un fichier de tableur : cellules séparées par virgule, point-virgule ou tabulation ; en UTF-8, UTF-16 ou Windows-1252',
    hint: 'Une ligne de titres, puis une ligne par passerelle :',
    preview: 'Vérifier chaque ligne',
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
    hint: 'Un essai n’enregistre rien : il lit maintenant au plus 200 annonces du flux.',
    found: (listings, records, isCut) =>
      isCut
        ? `Les ${listings} premières annonces, sur ${records} fiches. Rien n’est encore enregistré.`
        : `${listings} annonces dans ${records} fiches : tout le flux. Rien n’est encore enregistré.`,
    failed: 'Le flux ne peut pas être lu :',
    listings: 'Les premières annonces',
  },
  adding: {
    title: 'Ajouter une passerelle',
    required: 'obligatoire',
    choose: 'De quel connecteur est-elle ?',
    add: 'L’ajouter',
    added: 'Elle est ajoutée. Sa clé, montrée cette seule fois :',
    hints: {
      client: 'lettres, chiffres, « - » et « _ »',
      source: 'l’adresse du flux',
      every: '90s, 50m, 12h, 7d ; vide : la valeur par défaut de l’importateur',
      'contract-end': 'le dernier jour où elle est servie ; vide : sans fin',
    },
  },
  connectors: {
    failed: 'Échecs du dernier jour',
    failedOf: (share, runs) => `${share} de ${runs}`,
    rates: 'Limites de requêtes de l’éditeur',
    quota: (second, day, host) => `${second} par seconde et ${day} par jour, chez ${host}`,
    atOnce: (count) => `${count} à la fois`,
    notes: 'À propos',
    unknown: 'Cette version ne connaît pas le connecteur.',
    sources: {
      document: 'Un fichier : https:, http:, ftp:, ftps: ou sftp:, ou file: pour un fichier du dossier de réception',
      pages: 'Une API : https: ou http:',
      pushed: 'Une API avec webhooks entrants : https: ou http:',
    },
  },
  pausing: {
    until: 'Jusqu’à (UTC) ; vide : jusqu’à ce qu’un opérateur la lève',
    told: 'Les sites la voient.',
    reasonMissing: 'Indiquez une raison : elle dit aux sites pourquoi leur liste n’est plus mise à jour.',
    untilWrong: 'La fin de la pause doit être dans le futur.',
    meanwhile:
      'Un autre opérateur l’a mis en pause entre-temps : rien n’a été modifié. La pause actuelle est ci-dessous.',
    untilTime: 'jusqu’à',
    untilResumed: 'jusqu’à ce qu’un opérateur la lève',
    by: (name) => `par ${name}`,
    list: 'Pauses',
    nothing: 'Rien n’est en pause.',
    what: 'Quoi',
    terms: 'Jusqu’à quand et pourquoi',
    host: 'hôte',
    pauseSome: 'Mettre en pause un connecteur ou un hôte',
    someHint:
      'Avec les deux : seulement les sources de ce connecteur sur cet hôte. Pour mettre en pause une seule passerelle, ouvrez sa page.',
    hostHint: 'Hôte des sources, comme feeds.example.org ; vide : tous',
    dryRuns: 'Un essai à blanc montre si la source fonctionne de nouveau.',
  },
};
