import type { EN_DELIVERIES, EN_PUSH } from './en-push';

export const FR_PUSH: typeof EN_PUSH = {
  title: 'Webhooks et appels',
  intro: 'Les adresses des sites prévenus aussitôt d’une nouvelle liste, et celles que le CRM appelle.',
  disabledNotice: (count) =>
    count === 1 ? 'Un webhook est désactivé : son site n’est prévenu de rien.' : `${count} webhooks sont désactivés.`,
  webhooks: 'Webhooks',
  address: 'Adresse',
  events: 'Événements',
  well: 'répond',
  failing: 'en échec',
  gone: 'parti : il a répondu 410',
  failed: 'trois jours d’échecs',
  disabled: 'désactivé',
  add: 'Ajouter un webhook',
  all: 'Sans choix, tous.',
  badAddress: (what) => `L’adresse ne convient pas : ${what}.`,
  badRequest: 'Le formulaire ne demande rien de faisable.',
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
  callAddresses: 'Adresses qu’il appelle',
  noCalls: 'Ce CRM n’appelle pas.',
  open: 'Ouvrir une adresse',
  close: 'Fermer',
  overlap: 'Les adresses précédentes restent valables',
  overlaps: { '0': 'plus du tout', '1': '1 jour', '7': '7 jours', '30': '30 jours' },
  ownSecret: 'Secret créé par le CRM (sinon il en sera créé un)',
  ownBasic: 'NOM:MOT DE PASSE du CRM (sinon il en sera créé un)',
  opened: 'L’adresse pour le CRM, derrière celle de l’API, affichée cette seule fois :',
  callSecret: 'Secret de ses appels :',
  waiting: (count, since) =>
    count === 1
      ? `1 annonce attend un passage, depuis ${since}`
      : `${count} annonces attendent un passage, depuis ${since}`,
  noneWaits: 'Aucun appel n’attend de passage.',
};

export const FR_DELIVERIES: typeof EN_DELIVERIES = {
  kinds: { lead: 'Demandes', webhook: 'Messages aux sites', feedback: 'Retours aux sources' },
  intro: {
    lead: 'Les demandes des visiteurs (le texte n’est pas affiché) : conservées chiffrées, envoyées jusqu’à ce qu’elles arrivent, effacées 30 jours après.',
    webhook:
      'Les messages aux webhooks de toutes les passerelles, effacés après 30 jours. La page d’une passerelle permet de renvoyer un message.',
    feedback: 'Les avis aux logiciels sur les annonces affichées, retirées ou rejetées.',
  },
  waiting: {
    lead: (count) => (count === 1 ? '1 demande attend d’être remise.' : `${count} demandes attendent d’être remises.`),
    webhook: (count) =>
      count === 1 ? '1 message attend d’être envoyé.' : `${count} messages attendent d’être envoyés.`,
    feedback: (count) =>
      count === 1 ? '1 source attend d’être avertie.' : `${count} sources attendent d’être averties.`,
  },
  received: 'Depuis',
  listing: 'Annonce',
  tries: 'Essais',
  nextTry: 'Prochain essai',
  ways: { email: 'envoyée par e-mail', api: 'dans le logiciel' },
};
