export const STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #566170; --line: #dfe4ea; --paper: #f6f7f9; --card: #fff; --accent: #0b5bbd;
  --ok: #18794e; --bad: #b42318; --get: #0b5bbd; --post: #18794e; --code: #eef2f6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #9aa6b5; --line: #2c3541; --paper: #12161c; --card: #1a2029;
  --accent: #6cb0ff; --ok: #4cc38a; --bad: #ff8a7a; --get: #6cb0ff; --post: #4cc38a; --code: #232b36; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 62rem; padding: 0 1rem 5rem; }
h1 { margin: 1.5rem 0 .5rem; font-size: 1.8rem; line-height: 1.2; letter-spacing: -.01em; }
h2 { margin: 3.5rem 0 1rem; padding-top: 1rem; border-top: 2px solid var(--line); font-size: 1.45rem; }
h3 { margin: 2.2rem 0 .5rem; font-size: 1.12rem; }
h4 { display: flex; flex-wrap: wrap; gap: .2rem .7rem; align-items: baseline; margin: 0 0 .6rem; font-size: 1rem; }
h5 { margin: 1.3rem 0 .5rem; font-size: .9rem; color: var(--soft); }
p { margin: .6rem 0; max-width: 46rem; }
ol { max-width: 46rem; padding-left: 1.4rem; }
li { margin: .35rem 0; }
small { color: var(--soft); font-size: .85em; }
a { color: var(--accent); }
code { padding: .08em .3em; border-radius: 4px; background: var(--code); font: .9em ui-monospace, monospace; }
h4 code { padding: 0; background: none; font-weight: 700; }
.summary { color: var(--soft); font-weight: 400; }
.method { font: 700 .85rem ui-monospace, monospace; color: var(--get); }
.method.POST { color: var(--post); }
article, .card { margin: 1rem 0; padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.card h3 { margin-top: 0; }
.card p { color: var(--soft); font-size: .9rem; }

nav { position: sticky; top: 0; z-index: 2; background: var(--card); border-bottom: 1px solid var(--line); }
nav ul { margin: 0; padding: 0; list-style: none; }
nav li { margin: 0; }
nav a { display: flex; align-items: center; min-height: 44px; padding: .3rem 1rem; color: var(--ink); text-decoration: none; font-weight: 600; }
nav ul ul a { padding-left: 1.7rem; color: var(--soft); font: .84rem ui-monospace, monospace; }
nav a:hover { background: var(--code); }
nav details { margin: 0; border: 0; }
nav details > ul { max-height: calc(100vh - 4rem); overflow: auto; padding-bottom: 1rem; }

.links a { display: inline-flex; align-items: center; justify-content: center; min-width: 44px; min-height: 44px; padding: .2rem .6rem; margin: .15rem .1rem;
  border: 1px solid var(--line); border-radius: 8px; background: var(--card); text-decoration: none; font-size: .88rem; }
.links a:hover { border-color: var(--accent); }
.chips { display: inline-flex; flex-wrap: wrap; gap: .3rem; vertical-align: bottom; }

table { width: 100%; border-collapse: collapse; font-size: .93rem; background: var(--card); border: 1px solid var(--line); }
th, td { padding: .5rem .7rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--soft); font-size: .82rem; font-weight: 600; }
:target { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 4px; }

details { margin: .6rem 0 0; border: 1px solid var(--line); border-radius: 8px; }
summary { display: flex; align-items: center; min-height: 44px; padding: .3rem .9rem; cursor: pointer; font-weight: 600; font-size: .93rem; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: ""; width: .45rem; height: .45rem; margin-right: .7rem; border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(-45deg); }
details[open] > summary::before { transform: rotate(45deg); }
.try > summary { color: var(--accent); }
details > pre { margin: 0; border-width: 1px 0 0; border-radius: 0 0 8px 8px; }
.form { padding: 0 .9rem .9rem; border-top: 1px solid var(--line); }
.row { display: flex; flex-wrap: wrap; gap: .7rem .8rem; }
label { display: flex; flex-direction: column; flex: 1 1 9rem; font-size: .85rem; color: var(--soft); }
label.wide { flex-basis: 18rem; }
label[hidden] { display: none; }
input, select, textarea { min-height: 44px; width: 100%; min-width: 0; padding: .4rem .6rem; border: 1px solid var(--line); border-radius: 6px;
  background: var(--paper); color: var(--ink); font: 16px/1.4 ui-monospace, monospace; }
textarea { min-height: 12rem; resize: vertical; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
button { min-height: 44px; margin: .9rem .5rem 0 0; padding: .45rem 1.3rem; border: 0; border-radius: 6px; background: #0b5bbd; color: #fff;
  font: 600 1rem system-ui, sans-serif; cursor: pointer; }
button:hover { filter: brightness(1.08); }
pre { margin: .6rem 0 0; padding: .8rem; max-height: 30rem; overflow: auto; border: 1px solid var(--line); border-radius: 6px; background: var(--code);
  font: 13px/1.5 ui-monospace, monospace; white-space: pre-wrap; }
.status { margin: .9rem 0 0; font-weight: 600; color: var(--ok); }
.status.bad { color: var(--bad); }

@media (max-width: 47.99rem) {
  table, tbody, tr, td { display: block; width: auto; }
  thead { display: none; }
  tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  td { display: flex; gap: .6rem; padding: .15rem .7rem; border: 0; }
  td::before { content: attr(data-label); flex: 0 0 5.2rem; color: var(--soft); font-size: .82rem; }
  td > div { flex: 1 1 0; min-width: 0; }
}
@media (min-width: 48rem) {
  td:first-child { min-width: 9rem; }
  td:nth-child(n + 3):last-child { width: 55%; }
}
@media (min-width: 64rem) {
  html { scroll-padding-top: 1rem; }
  body { display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
  nav { height: 100vh; border: 0; border-right: 1px solid var(--line); }
  nav details > ul { max-height: 100vh; padding-top: 1rem; }
  nav summary { display: none; }
  main { padding: 0 2.5rem 6rem; }
}
@media print { nav { display: none; } }
`;
