import type { EN_ACCESS } from './en-access';

/** The same in French. */
export const FR_ACCESS: typeof EN_ACCESS = {
  through: (provider) => `Se connecter par ${provider}`,
  or: 'Ou avec un mot de passe de la console :',
  away: (provider) => `${provider} ne répond pas : réessayez, ou connectez-vous avec un mot de passe de la console.`,
  failed: (provider) => `${provider} n’a pas dit qui vous êtes : réessayez, ou connectez-vous avec un mot de passe.`,
  notBegun: 'Cette connexion n’a pas commencé ici, ou il y a trop longtemps : recommencez-la.',
  noRole: (name) =>
    `${name} est connecté chez le fournisseur, qui ne donne aucun rôle pour la console : demandez-en un là-bas.`,
  taken: (name) => `${name} est ici le nom d’un autre opérateur : adressez-vous à un admin.`,
};
