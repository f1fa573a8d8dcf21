export const EN_ACCESS = {
  through: (provider: string) => `Sign in through ${provider}`,
  or: 'Or with a console password:',
  away: (provider: string) => `${provider} does not answer: try again, or sign in with a password of the console.`,
  failed: (provider: string) => `${provider} did not confirm your identity: try again, or sign in with a password.`,
  notBegun: 'This sign-in was started elsewhere or has expired: start again.',
  noRole: (name: string) => `${name} has signed in, but the provider gives no role for the console: ask for one there.`,
  taken: (name: string) => `${name} is the name of another operator here: ask an admin.`,
};

export const EN_ERRORS = {
  404: 'There is no such page, gateway or run.',
  403: 'Your role does not allow this.',
  forged: 'The form has expired or is invalid: go back, reload the page, and try again.',
  400: 'The request is invalid.',
  500: 'An internal error occurred: see the log of the console.',
  503: 'The database does not answer.',
  title: 'That failed',
  back: 'Go to the overview',
};
