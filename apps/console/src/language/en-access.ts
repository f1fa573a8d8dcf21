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

/** What it says when it refuses or fails. */
export const EN_ERRORS = {
  404: 'There is no such page, gateway or run.',
  403: 'Your role does not allow this.',
  forged: 'The form is too old, or was not made here: go back, load the page again, and repeat what you did.',
  400: 'The request cannot be understood.',
  500: 'Something failed inside: the log of the console has more.',
  503: 'The database does not answer.',
  title: 'This did not work',
  back: 'To the overview',
};
