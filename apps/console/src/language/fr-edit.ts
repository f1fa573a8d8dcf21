import type { EN_EDIT } from './en-edit';

export const FR_EDIT: typeof EN_EDIT = {
  title: 'Modifier',
  titleOf: (name) => `Modifier ${name}`,
  hint: 'Un champ vide conserve une valeur secrète, qui n’est pas affichée. Un importateur essaie et enregistre les valeurs, car seuls les importateurs peuvent lire les secrets conservés.',
  now: 'actuellement',
  credentialsHint: 'De nouveaux identifiants remplacent tous ceux qui sont enregistrés.',
  removeCredentials: 'Supprimer tous les identifiants',
  removeSetting: (name) => `Supprimer ${name}`,
  test: 'Essayer',
  save: 'Enregistrer',
  noChange: 'Rien n’a été modifié : aucune valeur ne diffère.',
  meanwhile: 'La passerelle a été modifiée entre-temps : rien n’a été enregistré. Les champs montrent votre saisie.',
  slow: 'Aucun importateur n’a encore répondu. La modification est conservée, et un importateur l’exécutera dès qu’il tournera.',
  slowTest: 'Aucun importateur n’a répondu : y en a-t-il un en marche ?',
  waiting: (count) =>
    count <= 1
      ? 'Une modification de cette passerelle attend un importateur.'
      : `${count} modifications de cette passerelle attendent un importateur.`,
  unknownConnector: 'Aucun importateur n’a son connecteur : elle ne peut pas être modifiée ici.',
  keys: {
    title: 'Clés et jetons',
    titleOf: (name) => `Clés et jetons de ${name}`,
    rotate: 'Créer une nouvelle clé',
    overlap: 'Les anciennes clés restent valables',
    scope: 'La nouvelle clé sert à',
    sameScope: 'la même chose que la plus récente',
    newKey: 'La nouvelle clé, affichée cette seule fois :',
    newToken: 'L’adresse de son export, affichée cette seule fois :',
    revoke: 'Révoquer',
    revokeHint: 'Une clé ou un jeton révoqué cesse immédiatement : les sites qui l’utilisent reçoivent 401.',
    make: 'Créer un jeton d’export',
    confirm: 'J’ai compris que son site s’arrête immédiatement',
    notConfirmed: 'Cochez la case pour révoquer la clé : son site s’arrête immédiatement.',
  },
  remove: {
    title: 'Supprimer',
    titleOf: (name) => `Supprimer ${name}`,
    hint: (listings) =>
      `Ses ${listings} annonces, ses clés, ses exécutions et ses rapports sont supprimés, et ses sites reçoivent 404. C’est irréversible. La désactiver conserve ses données.`,
    type: (name) => `Saisissez ${name}`,
    wrong: 'Ce n’est pas le nom de cette passerelle : rien n’a été supprimé.',
    withLeads: 'Supprimer aussi les demandes qui ne sont pas encore transmises',
  },
  period: {
    label: 'La nouvelle période',
    hint: 'par exemple 50m ou 2h ; vide pour la valeur par défaut',
    soon: 'Un importateur enregistre la période de chacune en quelques secondes.',
  },
  operators: { remove: 'Supprimer', setRole: 'Donner ce rôle', roleOf: (name) => `Rôle de ${name}` },
};
