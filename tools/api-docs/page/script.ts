/** Runs in the browser; plain JavaScript, so that nothing needs to be built for it. */
export const SCRIPT = String.raw`
'use strict';
const byId = (id) => document.getElementById(id);
const make = (tag, properties, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};
const shared = { crm: byId('crm'), client: byId('client'), variable1: byId('crm'), variable2: byId('client') };
const MOST_SHOWN = 200000;

// The contents stand beside the page where there is room, and are folded where there is none.
const menu = document.querySelector('nav details');
const isWide = matchMedia('(min-width: 64rem)');
const unfold = () => { menu.open = isWide.matches; };
isWide.addEventListener('change', unfold);
unfold();
menu.addEventListener('click', (event) => {
  if (event.target.closest('a') !== null) unfold();
});

const demos = JSON.parse(document.body.dataset.demo);
const choose = ({ crm, client, key }) => {
  byId('crm').value = crm;
  byId('client').value = client;
  byId('key').value = key;
};
if (demos.length > 0) {
  const select = document.querySelector('#demo select');
  select.append(...demos.map((demo, index) => make('option', { value: index, textContent: demo.crm + ' / ' + demo.client })));
  select.addEventListener('change', () => choose(demos[select.value]));
  byId('demo').hidden = false;
  choose(demos[0]);
}

function callForm(path, method, operation) {
  const inputs = {};
  const row = make('div', { className: 'row' });
  for (const parameter of operation.parameters ?? []) {
    if (shared[parameter.name] !== undefined) continue;
    const { schema } = parameter;
    let input;
    if (schema.enum === undefined) {
      input = make('input', { autocomplete: 'off', spellcheck: false, placeholder: schema.default ?? '' });
    } else {
      input = make('select', {}, ...schema.enum.map((value) => make('option', { value, textContent: value })));
    }
    inputs[parameter.name] = input;
    row.append(make('label', { textContent: parameter.name + (parameter.required ? ' (required)' : '') }, input));
  }
  let body = null;
  if (operation.requestBody !== undefined) {
    body = make('textarea', { spellcheck: false });
    const { example } = operation.requestBody.content['application/json'];
    const fill = () => {
      const named = { ...example, crm: byId('crm').value || example.crm, client: byId('client').value || example.client };
      body.value = JSON.stringify(named, null, 2);
    };
    fill();
    for (const id of ['crm', 'client']) byId(id).addEventListener('input', fill);
    byId('demo').addEventListener('change', fill);
    row.append(make('label', { className: 'wide', textContent: 'body' }, body));
  }
  const status = make('p', { className: 'status', role: 'status' });
  const headers = make('pre', { hidden: true });
  const answer = make('pre', { hidden: true });
  const curl = make('pre', { hidden: true });

  const valueOf = (name) => (shared[name] ?? inputs[name]).value;
  const target = () => {
    const query = new URLSearchParams();
    let filled = path;
    for (const { name, in: place } of operation.parameters ?? []) {
      const value = valueOf(name);
      if (place === 'path') filled = filled.replace('{' + name + '}', encodeURIComponent(value));
      else if (place === 'query' && value !== '') query.set(name, value);
    }
    const text = query.toString();
    return '.' + filled + (text === '' ? '' : '?' + text);
  };
  const isOpen = (operation.security ?? []).length === 0;
  const requestHeaders = () => ({
    ...(isOpen || byId('key').value === '' ? {} : { Key: byId('key').value }),
    ...(body === null ? {} : { 'Content-Type': 'application/json' }),
    ...Object.fromEntries((operation.parameters ?? [])
      .filter(({ name, in: place }) => place === 'header' && valueOf(name) !== '').map(({ name }) => [name, valueOf(name)])),
  });
  const quote = (text) => "'" + text.replaceAll("'", "'\\''") + "'";
  const say = (text, isBad) => {
    status.textContent = text;
    status.classList.toggle('bad', isBad);
  };
  // Without it the address would be another one: that of the list, for instance.
  const isComplete = () => {
    const empty = (operation.parameters ?? []).find(({ name, in: place }) => place === 'path' && valueOf(name).trim() === '');
    if (empty === undefined) return true;
    say('Nothing was sent: fill in ' + empty.name + '.', true);
    inputs[empty.name].focus();
    return false;
  };

  const send = async () => {
    if (!isComplete()) return;
    say('Waiting…', false);
    const started = performance.now();
    try {
      const response = await fetch(target(), {
        method: method.toUpperCase(), headers: requestHeaders(), body: body?.value, cache: 'no-store',
      });
      const text = await response.text();
      say(response.status + ' ' + response.statusText + ' · ' + Math.round(performance.now() - started) + ' ms · ' +
        text.length.toLocaleString('en') + ' characters', response.status >= 400);
      headers.textContent = [...response.headers].map(([name, value]) => name + ': ' + value).join('\n');
      answer.textContent = pretty(text);
      headers.hidden = answer.hidden = false;
    } catch (error) {
      say('No answer: ' + error.message, true);
    }
  };
  const showCurl = () => {
    if (!isComplete()) return;
    const parts = ['curl -i ' + (method === 'get' ? '' : '-X ' + method.toUpperCase() + ' ') + quote(new URL(target(), location.href).href)];
    for (const [name, value] of Object.entries(requestHeaders())) parts.push('-H ' + quote(name + ': ' + value));
    if (body !== null) parts.push('--data ' + quote(body.value));
    curl.textContent = parts.join(' \\\n  ');
    curl.hidden = false;
    say('', false);
  };
  const gateway = isOpen
    ? make('p', { textContent: 'It needs no key.' })
    : make('p', { className: 'links' }, make('a', { href: '#gateway', textContent: 'Gateway and key: above the calls' }));
  return make('div', { className: 'form' }, gateway, row,
    make('button', { type: 'button', textContent: 'Send', onclick: send }),
    make('button', { type: 'button', textContent: 'As curl', onclick: showCurl }), curl, status, headers, answer);
}

function pretty(text) {
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not JSON: shown as it is.
  }
  return shown.length > MOST_SHOWN ? shown.slice(0, MOST_SHOWN) + '\n… cut here' : shown;
}

let description = null;
const load = () => {
  description ??= fetch('openapi.json').then((response) => response.json());
  return description;
};
for (const details of document.querySelectorAll('details.try')) {
  details.addEventListener('toggle', async () => {
    if (!details.open || details.children.length > 1) return;
    const { path, method } = details.dataset;
    const place = details.appendChild(make('p', { className: 'form', textContent: 'Reading openapi.json…' }));
    try {
      place.replaceWith(callForm(path, method, (await load()).paths[path][method]));
    } catch (error) {
      description = null;
      place.remove();
      details.open = false;
      details.after(make('p', { className: 'status bad', textContent: 'openapi.json could not be read: ' + error.message }));
    }
  });
}
`;
