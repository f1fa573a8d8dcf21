/** What signing in through a provider says in English. */
export const EN_ACCESS = {
  through: (provider: string) => `Sign in through ${provider}`,
  or: 'Or with a password of the console:',
  away: (provider: string) => `${provider} does not answer: try again, or sign in with a password of the console.`,
  failed: (provider: string) => `${provider} did not say who you are: try again, or sign in with a password.`,
  notBegun: 'This sign-in was not begun here, or too long ago: begin it again.',
  noRole: (name: string) =>
    `${name} has signed in at the provider, which gives no role for the console: ask for one there.`,
  taken: (name: string) => `${name} is the name of another operator here: ask an admin.`,
};
