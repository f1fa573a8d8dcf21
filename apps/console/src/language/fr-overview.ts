import type { EN_OVERVIEW, EN_RUN, EN_STORAGE, EN_TREND } from './en-overview';

export const FR_OVERVIEW: typeof EN_OVERVIEW = {
  nextStep: 'À faire :',
  allWell:
    'La base de données accepte les écritures, les programmes tournent, et aucune exécution n’attend d’importateur.',
  readOnly: 'La base de données refuse les écritures : les listes actuelles sont servies, et aucun CRM n’est lu.',
  noIngestor: (since) => `Aucun importateur ne prend les exécutions : la plus ancienne attend ${since}.`,
  checks: {
    ...{ database: 'Base de données', schema: 'Schéma', releases: 'Programmes et versions', connections: 'Connexions' },
    ...{ clocks: 'Horloges', disk: 'Disque', runs: 'Exécutions', announcer: 'Annonceur', queue: 'File d’attente' },
    backup: 'Sauvegarde',
  },
  counts: 'Passerelles par état',
  inState: (count, state) => {
    const many = count > 1 ? 's' : '';
    const words = {
      ...{ failing: 'en échec', held: `retenue${many}`, never: `jamais publiée${many}`, stale: `ancienne${many}` },
      ...{ fresh: 'à jour', paused: 'en pause', disabled: `désactivée${many}` },
    };
    return words[state];
  },
  oldest: (since) => `la plus ancienne ${since}`,
  lastDay: 'Dernières 24 heures',
  lastDayRows: {
    failed: 'Exécutions échouées',
    added: 'Annonces ajoutées',
    changed: 'Annonces modifiées',
    removed: 'Annonces retirées',
  },
  wants: 'Attend une décision',
  wantsNothing: 'Rien n’attend de décision.',
  heldOf: (count) => (count <= 1 ? 'retient une exécution' : 'retiennent des exécutions'),
  failOf: (count) => (count <= 1 ? 'échoue' : 'échouent'),
  alike: (alike, all) => `exactement ceci pour ${alike} sur ${all}`,
  ofAll: (count, all, allCount) => (allCount === 1 ? 'La seule passerelle' : `${count} passerelles sur ${all}`),
  moreDecisions: (count) => (count <= 1 ? 'et 1 autre cause' : `et ${count} autres causes`),
  look: 'Voir',
  decide: 'Décider',
  stale: {
    running: 'Une exécution est en cours.',
    waits: (since) => `Une exécution attend un importateur (${since}).`,
    due: (since) => `Son exécution est due (${since}) et aucun importateur ne l’a mise dans la file.`,
    later: (when) => `Sa prochaine exécution commence ${when}.`,
    nothing: 'Sa dernière exécution a été arrêtée ou écartée, ou n’a rien confirmé.',
  },
  waiting: (count) => (count <= 1 ? `${count} exécution attend` : `${count} exécutions attendent`),
  running: (count) => (count <= 1 ? `${count} est en cours` : `${count} sont en cours`),
  recent: 'Dernières exécutions',
  waited: (span) => `, la première depuis ${span}`,
  worst: 'Connecteurs avec le plus d’exécutions échouées en 24 heures',
  noneFails: 'Aucune exécution n’a échoué.',
  allConnectors: 'Tous les connecteurs',
  allRuns: 'Toutes les exécutions',
  programs: 'Programmes connectés',
  program: (name, processes) => `${processes} × ${name}, version`,
  unknownRelease: 'inconnue',
};

export const FR_TREND: typeof EN_TREND = {
  title: 'Les 30 derniers jours',
  nothing: 'Aucun jour n’est encore totalisé : un importateur le fait toutes les heures.',
  changes: 'Annonces ajoutées, modifiées ou retirées',
  failures: 'Exécutions échouées',
  listings: 'Annonces à la fin du jour',
  figures: 'Les jours en chiffres',
  highest: (value) => `maximum ${value}`,
  from: (day, other) => `du ${day} au ${other}, UTC`,
};

export const FR_STORAGE: typeof EN_STORAGE = {
  database: 'Base de données',
  schema: 'Schéma',
  schemaOf: (name) => `à jour de ${name}`,
  schemaLacks: (names) => `il lui manque ${names}`,
  schemaAhead: (names) => `a ${names} d’une version plus récente`,
  programs: 'Programmes',
  backup: 'Dernière sauvegarde par « ops backup »',
  storage: 'Stockage',
  table: 'Table',
  size: 'Avec ses index',
  rows: 'Lignes, environ',
  growth: (runs, versions, size) =>
    `En 24 heures, ${runs} exécutions et ${versions} versions d’annonces ont été écrites : environ ${size}, avant la suppression des anciennes données.`,
};

export const FR_RUN: typeof EN_RUN = {
  inState: (count, state) => {
    const many = count > 1 ? 's' : '';
    const words = {
      ...{ queued: 'en attente', running: 'en cours', published: `publiée${many}`, unchanged: `inchangée${many}` },
      ...{ held: `retenue${many}`, failed: `échouée${many}`, cancelled: `arrêtée${many}`, discarded: `écartée${many}` },
    };
    return words[state];
  },
  triggers: {
    ...{ schedule: 'le calendrier', ops: 'la ligne de commande', http: 'HTTP', retry: 'un nouvel essai' },
    ...{ 'dry-run': 'un essai à blanc', 'first-read': 'la première lecture d’un site' },
    ...{ 'stale-read': 'un site, car la liste était ancienne', call: 'un webhook du CRM' },
    revert: 'un retour à une liste antérieure',
    remap: 'une nouvelle correspondance',
  },
  log: 'Lignes du journal',
  logHint:
    'Lignes du journal de l’importateur sur cette exécution. Les lignes de niveau « debug » n’apparaissent qu’ici, sauf si son LOG_LEVEL est debug.',
  earlierLines: (count) =>
    count === 1 ? '1 ligne antérieure n’est pas affichée.' : `${count} lignes antérieures ne sont pas affichées.`,
  rejectedRecords: 'Fiches rejetées',
  inLogs: 'Dans les journaux',
  request: 'Requête',
  attempts: 'Tentatives',
  shared: {
    removed: (count, all) => `Des ${all} qui seraient retirées, ${count} ont un identifiant qui`,
    added: (count, all) => `Des ${all} qui seraient ajoutées, ${count} ont un identifiant qui`,
    changed: (count, all) => `Des ${all} qui changeraient, ${count} ont un identifiant qui`,
    begins: 'commence par',
    ends: 'finit par',
  },
};
