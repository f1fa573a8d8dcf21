import { html, type Content } from '@passerelle/html';
import { notice } from '../layout/elements';
import { csrfField, page, type Visit } from '../layout/page';

export interface SignInForm {
  name?: string;
  to: string;
  trouble?: string;
  provider?: string;
}

export function signInPage(visit: Visit, { name = '', to, trouble, provider }: SignInForm): string {
  const { texts } = visit.language;
  return page(
    visit,
    texts.signIn,
    html`${trouble === undefined ? null : notice('bad', trouble)}
      ${
        provider === undefined
          ? null
          : html`<p>
                <a class="button" href="/sign-in/provider?to=${encodeURIComponent(to)}"
                  >${texts.access.through(provider)}</a
                >
              </p>
              <p>${texts.access.or}</p>`
      }
      <form class="narrow" method="post" action="/sign-in">
        ${csrfField(visit)}
        <input type="hidden" name="to" value="${to}" />
        <label for="name">${texts.name}</label>
        <input id="name" name="name" autocomplete="username" required maxlength="64" value="${name}" />
        <label for="password">${texts.password}</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required maxlength="256" />
        <button>${texts.signIn}</button>
      </form>
      <p class="faint">${texts.signInHint}</p>`,
  );
}

/** The target of a sign-in link: only the button signs in, following the link does not. */
export function linkPage(visit: Visit, name: string, token: string): string {
  const { texts } = visit.language;
  const form: Content = html`<form method="post" action="/sign-in/link">
    ${csrfField(visit)}
    <input type="hidden" name="token" value="${token}" />
    <button>${texts.signInAs(name)}</button>
  </form>`;
  return page(visit, texts.signIn, form);
}
