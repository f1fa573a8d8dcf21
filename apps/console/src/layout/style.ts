import { createHash } from 'node:crypto';

/** The whole style: two columns of colours, no pictures, no fonts to load. */
export const STYLE = `
:root { color-scheme: light dark;
  --ground: #fff; --raised: #f6f7f9; --line: #d5d9e0; --text: #1a1f29; --faint: #566072; --accent: #0b57a4; --on-accent: #fff;
  --good: #176b35; --good-ground: #e3f4e8; --warn: #7a4a00; --warn-ground: #fdf0d8; --bad: #a01622; --bad-ground: #fde7e8; }
@media (prefers-color-scheme: dark) { :root {
  --ground: #14171d; --raised: #1d222b; --line: #3a4250; --text: #e8ebf0; --faint: #a3adbd; --accent: #82b8f5; --on-accent: #10161f;
  --good: #84d69f; --good-ground: #16301f; --warn: #f0c274; --warn-ground: #362a12; --bad: #ff9da4; --bad-ground: #3d1a1e; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
.wide { max-width: 80rem; margin: 0 auto; padding: 0 1rem; }
main { padding-bottom: 3rem !important; } main:focus { outline: none; }
a { color: var(--accent); } :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: 1rem; background: var(--ground); padding: .5rem; z-index: 1; }
.top { background: var(--raised); border-bottom: 1px solid var(--line); }
.top .wide { max-width: 96rem; display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .9rem; font-size: .875rem; padding-top: .5rem; padding-bottom: .5rem; }
.brand { font-weight: 700; text-decoration: none; color: var(--text); }
nav[popover] { display: flex; flex-wrap: wrap; gap: .25rem .8rem; position: static; inset: auto; width: auto; height: auto; margin: 0; padding: 0; border: 0; background: none; color: inherit; overflow: visible; } .menu { display: none; }
nav a { padding: .25rem 0; text-decoration: none; } nav a[aria-current] { font-weight: 600; border-bottom: 2px solid var(--accent); }
.who { margin-left: auto; display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; } .who form { margin: 0; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 1.5rem 0 1rem; overflow-wrap: anywhere; } h2 { font-size: 1.2rem; margin: 2rem 0 .75rem; }
.faint, .faint a { color: var(--faint); }
.badge { display: inline-block; padding: 0 .5rem; border-radius: 1rem; font-size: .875rem; white-space: nowrap; background: var(--raised); color: var(--text); border: 1px solid var(--line); }
.good { color: var(--good); background: var(--good-ground); border-color: var(--good); }
.warn { color: var(--warn); background: var(--warn-ground); border-color: var(--warn); }
.bad { color: var(--bad); background: var(--bad-ground); border-color: var(--bad); }
.notice { padding: .75rem 1rem; border-style: solid; border-width: 1px 1px 1px .4rem; border-radius: .25rem; overflow-wrap: anywhere; }
.scrolls { overflow-x: auto; border: 1px solid var(--line); border-radius: .25rem; margin-bottom: .75rem; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { text-align: left; padding: .4rem .75rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td { overflow-wrap: break-word; max-width: 28rem; } tbody tr:last-child td { border-bottom: 0; }
th { background: var(--raised); white-space: nowrap; } th a { color: inherit; }
.figure { text-align: right; font-variant-numeric: tabular-nums; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .75rem 2rem; margin: 1rem 0 0; }
.facts dt { color: var(--faint); font-size: .875rem; } .facts dd { margin: 0; overflow-wrap: anywhere; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: .75rem; padding: 0; margin: 0; list-style: none; }
.cards a { display: block; height: 100%; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .25rem; background: var(--raised); text-decoration: none; color: var(--text); }
.cards a.empty { color: var(--faint); } .cards strong { display: block; font-size: 1.75rem; line-height: 1.2; } .cards small { color: var(--faint); display: block; }
.cards a:hover { border-color: var(--accent); }
.cards a.good { background: var(--good-ground); border-color: var(--good); } .cards a.warn { background: var(--warn-ground); border-color: var(--warn); } .cards a.bad { background: var(--bad-ground); border-color: var(--bad); }
.cards a.good small, .cards a.warn small, .cards a.bad small { color: inherit; }
.wants { list-style: none; padding: 0; margin: 0; } .wants li.good, .wants li.warn, .wants li.bad { color: var(--text); background: none; border-left: .4rem solid; padding-left: .75rem; } .wants li.bad { border-left-color: var(--bad); } .wants li.warn { border-left-color: var(--warn); }
.wants li { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; padding: .5rem 0; border-bottom: 1px solid var(--line); } .wants .next { margin-left: auto; }
form.line { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: 0 0 1rem; } .cards + form.line, section + form.line { margin-top: 1.5rem; } form.line div input { width: 100%; }
.fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: .75rem 2rem; align-items: end; } .fields input { width: 100%; } [aria-invalid] { border-color: var(--bad); outline: 1px solid var(--bad); }
details { margin: 0 0 1rem; } summary { cursor: pointer; color: var(--accent); padding: .25rem 0; } details form.line { margin: .5rem 0 0; }
form.acts { display: inline-flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin: 0 1rem .5rem 0; }
label { display: block; font-size: .875rem; color: var(--faint); } label.inline { display: inline-flex; gap: .4rem; align-items: center; color: var(--text); font-size: 1rem; }
input, select, textarea, button { font: inherit; color: var(--text); background: var(--ground); border: 1px solid var(--faint); border-radius: .25rem; padding: .35rem .6rem; max-width: 100%; min-height: 2.25rem; }
input[type=checkbox], input[type=radio] { min-height: 0; width: 1.15rem; height: 1.15rem; } textarea { width: 100%; max-width: 40rem; min-height: 4rem; }
button, .button { cursor: pointer; background: var(--accent); color: var(--on-accent); border: 1px solid var(--accent); border-radius: .25rem; padding: .35rem .9rem; text-decoration: none; }
button.second { background: var(--ground); color: var(--accent); } button.plain { background: none; border: 0; color: var(--accent); text-decoration: underline; padding: 0; min-height: 0; }
button.danger { background: var(--bad-ground); color: var(--bad); border-color: var(--bad); }
.bulk { position: sticky; top: 0; z-index: 1; background: var(--ground); border: 1px solid var(--line); border-radius: .25rem; margin: 0 0 .75rem; padding: .25rem .75rem .5rem; } .bulk p { margin: .25rem 0; display: flex; flex-wrap: wrap; gap: .4rem 1.25rem; } .bulk p + p { gap: .4rem; }
.tight td { white-space: nowrap; } .tight th, .tight td { padding: .3rem .6rem; } .oneline { overflow: hidden; text-overflow: ellipsis; max-width: 27rem; }
main:has(.tight) { max-width: 96rem; }
@media (max-width: 40rem) {
  .menu { display: inline-block; } nav[popover]:not(:popover-open) { display: none; }
  nav[popover]:popover-open { position: fixed; inset: 3rem 1rem auto; flex-direction: column; background: var(--raised); border: 1px solid var(--line); border-radius: .25rem; padding: .5rem 1rem; } nav[popover]:popover-open a { padding: .5rem 0; }
  .scrolls { overflow: visible; border: 0; } .scrolls table, .scrolls tbody, .scrolls td { display: block; } .scrolls thead { position: absolute; left: -99rem; }
  .scrolls tr { display: grid; grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); gap: .25rem .75rem; border: 1px solid var(--line); border-radius: .25rem; padding: .5rem .75rem; margin-bottom: .75rem; }
  .scrolls td { border: 0; padding: 0; max-width: none; min-width: 0; white-space: normal; overflow-wrap: anywhere; grid-column: 1 / -1; } .scrolls td.figure { grid-column: auto; text-align: left; } .scrolls td:empty { display: none; }
  .tight .scrolls td { grid-column: auto; } .tight .scrolls td:has(.oneline), .tight .scrolls td:nth-child(-n+2) { grid-column: 1 / -1; }
  .scrolls td::before { content: attr(data-label); display: block; color: var(--faint); font-size: .8125rem; } .oneline { max-width: none; overflow: visible; }
  .bulk { position: static; }
}
.pages { display: flex; gap: 1.5rem; margin: 1rem 0; align-items: center; }
.listings { list-style: none; padding: 0; margin: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: .75rem; }
.listings li { display: flex; gap: .75rem; border: 1px solid var(--line); border-radius: .25rem; padding: .5rem; overflow-wrap: anywhere; }
.listings img { width: 5.5rem; height: 4.5rem; object-fit: cover; border-radius: .2rem; background: var(--raised); flex: none; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 1rem 2rem; } .chart { margin: 0; min-width: 0; color: inherit; background: none; }
.plot { display: grid; grid-template-columns: auto 1fr; gap: .1rem .5rem; font-size: .8125rem; color: var(--faint); margin-top: .5rem; } .plot svg { width: 100%; height: 8rem; display: block; overflow: visible; }
.values { display: flex; flex-direction: column; justify-content: space-between; text-align: right; line-height: 1; } .dates { grid-column: 2; display: flex; justify-content: space-between; gap: .5rem; }
.chart path { fill: none; vector-effect: non-scaling-stroke; } .chart .grid { stroke: var(--line); } .chart .line { stroke: var(--accent); stroke-width: 2; } .chart .bar { fill: var(--accent); } .chart.bad .bar { fill: var(--bad); } .chart .hover { fill: transparent; } .chart .hover:hover { fill: var(--line); fill-opacity: .5; }
blockquote { margin: 0; padding: .5rem 1rem; border-left: .25rem solid var(--line); max-width: 45rem; }
blockquote.typed { white-space: pre-wrap; overflow-wrap: anywhere; }
.secret { font: 1.1rem/1.5 ui-monospace, monospace; padding: .5rem .75rem; background: var(--raised); border: 1px solid var(--line); display: inline-block; overflow-wrap: anywhere; }
code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; } td code { overflow-wrap: break-word; } .narrow { max-width: 24rem; } .narrow input { width: 100%; margin-bottom: 1rem; }
`;

/** The path changes with the content, so that browsers may cache it. */
export const STYLE_PATH = `/style-${createHash('sha256').update(STYLE).digest('hex').slice(0, 12)}.css`;
