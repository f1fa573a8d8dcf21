import type { EN_DELIVERIES, EN_PUSH } from './en-push';

export const FR_PUSH: typeof EN_PUSH = {
  title: 'Webhooks des sites et appels du CRM',
  intro: 'Adresses des sites qui reçoivent un message quand la liste change, et adresses que le CRM appelle.',
  disabledNotice: (count) =>
    count === 1 ? 'Un webhook est désactivé : son site ne reçoit aucun message.' : `${count} webhooks sont désactivés.`,
  webhooks: 'Webhooks',
  address: 'Adresse',
  events: 'Événements',
  well: 'répond',
  failing: 'en échec',
  gone: 'supprimé : il a répondu 410',
  failed: 'trois jours d’échecs',
  disabled: 'désactivé',
  add: 'Ajouter un webhook',
  all: 'Sans sélection : tous.',
  badAddress: (what) => `L’adresse n’est pas valide : ${what}.`,
  badRequest: 'Le formulaire ne contient aucune action valide.',
  secret: 'Le secret du webhook, affiché cette seule fois :',
  back: 'Webhooks et appels',
  acts: { test: 'Envoyer un essai', rotate: 'Nouveau secret', remove: 'Retirer', replay: 'Renvoyer' },
  rotateHint: 'Pendant un jour, les messages sont aussi signés avec le secret précédent.',
  messages: 'Messages',
  messagesHint: 'Les plus récents, sur 30 jours.',
  message: 'Message',
  event: 'Événement',
  tries: 'Essais',
  answer: 'Réponse',
  messageStates: { pending: 'attend', delivered: 'arrivé', superseded: 'omis', failed: 'abandonné' },
  calls: 'Appels du CRM',
  callAddresses: 'Adresses pour le CRM',
  noCalls: 'Ce CRM n’appelle pas.',
  open: 'Ouvrir une adresse',
  close: 'Fermer',
  overlap: 'Les adresses précédentes restent valables pendant',
  overlaps: { '0': 'terminer maintenant', '1': '1 jour', '7': '7 jours', '30': '30 jours' },
  ownSecret: 'Secret du CRM (vide : un nouveau est généré)',
  ownBasic: 'NOM:MOT DE PASSE du CRM (vide : un nouveau est généré)',
  opened: 'Le chemin pour le CRM, à ajouter à l’adresse de l’API, affiché cette seule fois :',
  callSecret: 'Secret de ses appels :',
  waiting: (count, since) =>
    count === 1
      ? `1 annonce attend une exécution, depuis ${since}`
      : `${count} annonces attendent une exécution, depuis ${since}`,
  noneWaits: 'Aucun appel n’attend d’exécution.',
};

export const FR_DELIVERIES: typeof EN_DELIVERIES = {
  kinds: {
    lead: 'Demandes',
    webhook: 'Messages aux sites',
    feedback: 'Retours aux sources',
    notification: 'Avis aux opérateurs',
    digest: 'Courriers aux agences',
    edit: 'Modifications de passerelles',
    export: 'Exports aux portails',
  },
  intro: {
    edit: 'Modifications et essais de passerelles depuis la console. Un importateur les exécute, car seuls les importateurs peuvent lire les secrets conservés. Supprimés au bout de 30 jours.',
    lead: 'Les demandes des visiteurs (le texte n’est pas affiché) : conservées chiffrées, envoyées jusqu’à ce qu’elles arrivent, effacées 30 jours après.',
    webhook:
      'Les messages aux webhooks de toutes les passerelles, effacés après 30 jours. La page d’une passerelle permet de renvoyer un message.',
    feedback: 'Les avis aux logiciels sur les annonces affichées, retirées ou rejetées.',
    notification: 'Les messages aux canaux de la commande « ops notify », effacés après 30 jours.',
    digest:
      'Les courriers hebdomadaires aux agences dont la passerelle a le paramètre « digest-email », supprimés après 30 jours.',
    export:
      'Les listes d’annonces envoyées aux portails, effacées après 30 jours. Chaque annonce : « ops publication list ».',
  },
  waiting: {
    edit: (count) =>
      count <= 1 ? `${count} modification attend un importateur.` : `${count} modifications attendent un importateur.`,
    lead: (count) => (count === 1 ? '1 demande attend d’être remise.' : `${count} demandes attendent d’être remises.`),
    webhook: (count) =>
      count === 1 ? '1 message attend d’être envoyé.' : `${count} messages attendent d’être envoyés.`,
    feedback: (count) =>
      count === 1 ? '1 source attend d’être avertie.' : `${count} sources attendent d’être averties.`,
    digest: (count) => (count === 1 ? '1 courrier attend son envoi.' : `${count} courriers attendent leur envoi.`),
    notification: (count) =>
      count === 1 ? '1 message attend d’être envoyé.' : `${count} messages attendent d’être envoyés.`,
    export: (count) => (count === 1 ? '1 export attend.' : `${count} exports attendent.`),
  },
  received: 'Depuis',
  listing: 'Annonce',
  tries: 'Essais',
  nextTry: 'Prochain essai',
  ways: { email: 'envoyée par e-mail', api: 'dans le logiciel' },
};
