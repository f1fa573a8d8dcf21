export const STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #dfe4ea; --paper: #f6f7f9; --card: #fff; --accent: #0b63ce;
  --ok: #18794e; --bad: #b42318; --get: #0b63ce; --post: #18794e; --code: #f1f4f8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #9aa6b5; --line: #2c3541; --paper: #12161c; --card: #1a2029;
  --accent: #6cb0ff; --ok: #4cc38a; --bad: #ff8a7a; --get: #6cb0ff; --post: #4cc38a; --code: #11161d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.7rem; letter-spacing: -.01em; }
h2 { margin: 2rem 0 .6rem; font-size: 1.05rem; }
header p, .hint { color: var(--soft); margin: .3rem 0; }
.hint { font-size: .88rem; }
a { color: var(--accent); }
#gateway, details { background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
#gateway { margin-top: 1.25rem; padding: .8rem 1rem; }
@media (min-width: 46rem) { #gateway { position: sticky; top: 0; z-index: 1; box-shadow: 0 6px 18px -12px #0006; } }
#gateway h2 { margin: 0 0 .4rem; }
.row { display: flex; flex-wrap: wrap; gap: .6rem .8rem; }
label { display: flex; flex-direction: column; flex: 1 1 8rem; font-size: .82rem; color: var(--soft); }
label.wide { flex-basis: 18rem; }
label[hidden] { display: none; }
input, select, textarea { font: 15px/1.4 ui-monospace, monospace; color: var(--ink); background: var(--paper);
  border: 1px solid var(--line); border-radius: 6px; padding: .4rem .55rem; width: 100%; min-width: 0; }
textarea { min-height: 9.5rem; resize: vertical; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
details { margin: .5rem 0; overflow: hidden; }
summary { display: flex; gap: .8rem; align-items: baseline; padding: .65rem 1rem; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary code { font-weight: 600; overflow-wrap: anywhere; }
summary span:last-child { margin-left: auto; color: var(--soft); font-size: .9rem; text-align: right; }
.method { font: 700 .78rem ui-monospace, monospace; min-width: 2.9rem; color: var(--get); }
.method.POST { color: var(--post); }
.call { padding: 0 1rem 1rem; border-top: 1px solid var(--line); }
.call > p { margin: .7rem 0; }
button { margin: .8rem .5rem 0 0; padding: .45rem 1.1rem; font: 600 .95rem system-ui, sans-serif; color: #fff; background: #0b63ce;
  border: 0; border-radius: 6px; cursor: pointer; }
button:hover { filter: brightness(1.08); }
pre { margin: .6rem 0 0; padding: .7rem .8rem; max-height: 26rem; overflow: auto; background: var(--code); border: 1px solid var(--line);
  border-radius: 6px; font: 13px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.status { margin: .9rem 0 0; font-weight: 600; color: var(--ok); }
.status.bad { color: var(--bad); }
`;
