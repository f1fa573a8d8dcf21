import type { Operator } from '@passerelle/database';
import { OPERATOR_ROLES } from '@passerelle/domain';
import { type Html, html, type Content } from '@passerelle/html';
import { badge, moment, notice, said, section, table } from '../layout/elements';
import { csrfField, may, page, type Visit } from '../layout/page';

export interface OperatorList {
  operators: readonly Operator[];
  /** A password that was just generated, shown only once. */
  made?: { name: string; password: string };
  refused?: { name: string; sentence: string };
}

export function operatorsPage(visit: Visit, { operators, made, refused }: OperatorList): string {
  const { texts } = visit.language;
  const isAdmin = may(visit, 'admin');
  return page(
    visit,
    texts.nav.operators,
    html`${refused === undefined ? null : notice('bad', said(visit, refused.sentence))}
    ${made === undefined ? null : passwordOf(visit, made)}
    ${table(
      texts.nav.operators,
      [
        {
          title: texts.name,
          value: ({ name }) => html`${name} ${name === visit.operator?.name ? `(${texts.operators.you})` : null}`,
        },
        { title: texts.operators.role, value: ({ role }) => texts.roles[role] },
        { title: texts.operators.signedIn, value: ({ signedInAt }) => moment(visit, signedInAt) },
        { title: texts.state, value: (operator) => stateOf(visit, operator) },
        ...(isAdmin
          ? [{ title: texts.operators.change, value: (operator: Operator) => formsOf(visit, operator) }]
          : []),
      ],
      operators,
      texts.nothing,
    )}
    ${isAdmin ? addForm(visit, refused?.name ?? '') : null}`,
  );
}

function passwordOf({ language: { texts } }: Visit, { name, password }: { name: string; password: string }): Html {
  return html`${notice('good', texts.operators.password(name))}
    <p><code class="secret">${password}</code></p>`;
}

function stateOf({ language: { texts } }: Visit, { disabledAt }: Operator): Html {
  return disabledAt === null ? badge('good', texts.operators.active) : badge('', texts.operators.disabled);
}

/** Admins cannot disable or remove themselves, or change their own role. */
function formsOf(visit: Visit, { name, role, disabledAt }: Operator): Content {
  const { acts, operators, editing, roles } = visit.language.texts;
  const form = (act: 'enable' | 'disable' | 'passwd' | 'remove', text: string, tone: string): Html =>
    html`<form class="acts" method="post" action="/operators/change">
      ${csrfField(visit)}<input type="hidden" name="name" value="${name}" />
      <button class="${tone}" name="act" value="${act}" aria-label="${text}: ${name}">${text}</button>
    </form>`;
  if (disabledAt !== null)
    return html`${form('enable', acts.enable, '')} ${form('remove', editing.operators.remove, 'danger')}`;
  return html`${form('passwd', operators.newPassword, 'second')}
  ${
    name === visit.operator?.name
      ? null
      : html`<form class="acts" method="post" action="/operators/change">
            ${csrfField(visit)}<input type="hidden" name="name" value="${name}" />
            <select name="role" aria-label="${editing.operators.roleOf(name)}">
              ${OPERATOR_ROLES.map(
                (one) => html`<option value="${one}" ${one === role ? html`selected` : null}>${roles[one]}</option>`,
              )}
            </select>
            <button class="second" name="act" value="role" aria-label="${editing.operators.setRole}: ${name}">
              ${editing.operators.setRole}
            </button>
          </form>
          ${form('disable', acts.disable, 'danger')}`
  }`;
}

function addForm(visit: Visit, name: string): Html {
  const { texts } = visit.language;
  return section(
    texts.operators.add,
    html`<form class="line" method="post" action="/operators/add">
      ${csrfField(visit)}
      <div>
        <label for="name">${texts.name}</label>
        <input id="name" name="name" required maxlength="64" autocomplete="off" value="${name}" />
      </div>
      <div>
        <label for="role">${texts.operators.role}</label>
        <select id="role" name="role">
          ${OPERATOR_ROLES.map((role) => html`<option value="${role}">${texts.roles[role]}</option>`)}
        </select>
      </div>
      <button>${texts.operators.add}</button>
    </form>`,
  );
}
