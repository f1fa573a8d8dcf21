import type { EN_ACCESS, EN_ERRORS } from './en-access';

export const FR_ACCESS: typeof EN_ACCESS = {
  through: (provider) => `Se connecter par ${provider}`,
  or: 'Ou avec un mot de passe de la console :',
  away: (provider) => `${provider} ne répond pas : réessayez, ou connectez-vous avec un mot de passe de la console.`,
  failed: (provider) =>
    `${provider} n’a pas confirmé votre identité : réessayez, ou connectez-vous avec un mot de passe.`,
  notBegun: 'Cette connexion a commencé ailleurs ou a expiré : recommencez.',
  noRole: (name) =>
    `${name} est connecté chez le fournisseur, qui ne donne aucun rôle pour la console : demandez-en un là-bas.`,
  taken: (name) => `${name} est ici le nom d’un autre opérateur : adressez-vous à un admin.`,
};

export const FR_ERRORS: typeof EN_ERRORS = {
  404: 'Cette page, cette passerelle ou cette exécution n’existe pas.',
  403: 'Votre rôle ne le permet pas.',
  forged: 'Le formulaire a expiré ou n’est pas valide : revenez, rechargez la page, et recommencez.',
  400: 'La demande n’est pas valide.',
  500: 'Une erreur interne s’est produite : voyez le journal de la console.',
  503: 'La base de données ne répond pas.',
  title: 'L’action a échoué',
  back: 'Aller à la vue d’ensemble',
};
