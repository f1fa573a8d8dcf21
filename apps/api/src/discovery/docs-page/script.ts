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
    input.title = parameter.description.replaceAll('\x60', '');
    inputs[parameter.name] = input;
    row.append(make('label', { textContent: parameter.name + (parameter.required ? ' *' : '') }, input));
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

  const target = () => {
    const query = new URLSearchParams();
    let filled = path;
    for (const { name, in: place } of operation.parameters ?? []) {
      const value = (shared[name] ?? inputs[name]).value;
      if (place === 'path') filled = filled.replace('{' + name + '}', encodeURIComponent(value));
      else if (value !== '') query.set(name, value);
    }
    const text = query.toString();
    return filled + (text === '' ? '' : '?' + text);
  };
  const isOpen = (operation.security ?? []).length === 0;
  const requestHeaders = () => ({
    ...(isOpen || byId('key').value === '' ? {} : { Key: byId('key').value }),
    ...(body === null ? {} : { 'Content-Type': 'application/json' }),
  });
  const quote = (text) => "'" + text.replaceAll("'", "'\\''") + "'";

  const send = async () => {
    status.className = 'status';
    status.textContent = 'Waiting…';
    const started = performance.now();
    try {
      const response = await fetch(target(), { method, headers: requestHeaders(), body: body?.value, cache: 'no-store' });
      const text = await response.text();
      status.textContent = response.status + ' ' + response.statusText + ' · ' + Math.round(performance.now() - started) + ' ms · ' +
        text.length.toLocaleString('en') + ' characters';
      status.classList.toggle('bad', !response.ok);
      headers.textContent = [...response.headers].map(([name, value]) => name + ': ' + value).join('\n');
      answer.textContent = pretty(text);
      headers.hidden = answer.hidden = false;
    } catch (error) {
      status.textContent = 'No answer: ' + error.message;
      status.classList.add('bad');
    }
  };
  const showCurl = () => {
    const parts = ['curl -i ' + (method === 'GET' ? '' : '-X ' + method + ' ') + quote(location.origin + target())];
    for (const [name, value] of Object.entries(requestHeaders())) parts.push('-H ' + quote(name + ': ' + value));
    if (body !== null) parts.push('--data ' + quote(body.value));
    curl.textContent = parts.join(' \\\n  ');
    curl.hidden = false;
  };
  return make('div', { className: 'call' }, make('p', { className: 'hint', textContent: operation.description.replaceAll('\x60', '') }), row,
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

async function build() {
  const { paths, tags } = await (await fetch('openapi.json')).json();
  const calls = byId('calls');
  calls.replaceChildren();
  for (const { name } of tags) {
    const group = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).filter(([, operation]) => operation.tags[0] === name)
        .map(([method, operation]) => [path, method.toUpperCase(), operation]));
    calls.append(make('h2', { textContent: name }));
    for (const [path, method, operation] of group) {
      const summary = make('summary', {}, make('span', { className: 'method ' + method, textContent: method }),
        make('code', { textContent: path }), make('span', { textContent: operation.summary }));
      const details = make('details', {}, summary);
      details.addEventListener('toggle', () => {
        if (details.open && details.children.length === 1) details.append(callForm(path, method, operation));
      });
      calls.append(details);
    }
  }
}
build().catch((error) => { byId('calls').textContent = 'openapi.json could not be read: ' + error.message; });
`;
