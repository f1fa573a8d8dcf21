/** The one style of the pages. A separate file, because their policy forbids inline styles. */
export const STYLE = `
:root { color-scheme: light; --ink: #17222e; --soft: #55616f; --line: #dde3ea; --paper: #f5f6f8; --card: #fff; --accent: #0b5bbd; --deep: #0d2b4e;
  --ok: #18794e; --warn: #8a5a00; --bad: #b42318; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
.wide { max-width: 80rem; margin: 0 auto; padding: 0 1rem; }
h1 { margin: 0 0 .3rem; font-size: 1.6rem; line-height: 1.2; letter-spacing: -.01em; }
h2 { margin: 0 0 .6rem; font-size: 1.2rem; line-height: 1.25; }
h3 { margin: 0 0 .4rem; font-size: .95rem; }
p { margin: .3rem 0; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; padding: .7rem 1rem; background: var(--card); }
.skip:focus { left: .5rem; top: .5rem; z-index: 3; }

.top { background: var(--deep); color: #fff; }
.top .wide { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1.5rem; }
.top a { display: inline-flex; align-items: center; min-height: 52px; min-width: 44px; padding: 0 .7rem; color: #fff; text-decoration: none; }
.top .brand { padding-left: 0; font-weight: 700; font-size: 1.15rem; }
.top .brand span { margin-left: .5rem; padding: .05rem .5rem; border-radius: 99px; background: #ffffff2b; font-size: .78rem; font-weight: 500; }
.top nav { display: flex; margin-left: auto; }
.top nav a:hover { background: #ffffff1c; }
.top nav a[aria-current] { box-shadow: inset 0 -3px #fff; font-weight: 600; }
main { padding-top: 1.5rem !important; padding-bottom: 3rem !important; }
footer { border-top: 1px solid var(--line); background: var(--card); color: var(--soft); font-size: .92rem; }
footer .wide { padding-top: 1rem; padding-bottom: 1.5rem; }
footer a { display: inline-flex; align-items: center; min-height: 44px; }

.hero { padding: .5rem 0 1.3rem; }
.hero p { max-width: 44rem; color: var(--soft); font-size: 1.08rem; }
.panel { margin: 0 0 2.2rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
.heading { display: flex; flex-wrap: wrap; align-items: end; justify-content: space-between; gap: .6rem 1rem; }
.heading h1, .heading h2 { margin: 0; }
.heading h2 { font-size: 1.35rem; }
.about { margin: .1rem 0 0; color: var(--soft); }
.button, button { display: inline-flex; align-items: center; justify-content: center; min-height: 44px; min-width: 44px; padding: .4rem 1.1rem; border: 1px solid var(--accent);
  border-radius: 8px; background: var(--accent); color: #fff; font: inherit; font-weight: 600; line-height: 1.2; text-decoration: none; cursor: pointer; }
.button:hover, button:hover { filter: brightness(1.1); }
.button.plain { background: var(--card); border-color: #b9c4d0; color: var(--accent); }

.feed { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem 1.2rem; margin: .8rem 0 1.1rem; padding: .55rem .9rem; border: 1px solid var(--line);
  border-left: 4px solid var(--soft); border-radius: 8px; background: var(--card); font-size: .93rem; }
.feed p { margin: 0; }
.feed .times { display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; color: var(--soft); }
.feed.fresh { border-left-color: var(--ok); }
.feed.fresh strong { color: var(--ok); }
.feed.stale, .feed.held { border-left-color: var(--warn); }
.feed.stale strong, .feed.held strong { color: var(--warn); }
.feed.failing, .feed.never { border-left-color: var(--bad); }
.feed.failing strong, .feed.never strong { color: var(--bad); }

.filters { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .8rem; align-items: end; margin: 0 0 1.4rem; padding: 1rem; border: 1px solid var(--line);
  border-radius: 12px; background: var(--card); }
.filters label { display: flex; flex-direction: column; gap: .25rem; color: var(--soft); font-size: .9rem; min-width: 0; }
select, input { width: 100%; min-width: 0; min-height: 44px; padding: .4rem .6rem; border: 1px solid #8d99a6; border-radius: 8px; background: #fff; color: var(--ink); font: inherit; font-size: 1rem; }
.actions { display: flex; gap: .5rem; }
.actions > * { flex: 1; }
.result { margin: 0 0 .9rem; }
.pager { display: flex; flex-wrap: wrap; justify-content: center; gap: .7rem; margin-top: 1.6rem; }

.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: 1.1rem; margin: 0; padding: 0; list-style: none; }
.card a { display: flex; flex-direction: column; height: 100%; overflow: hidden; border: 1px solid var(--line); border-radius: 12px; background: var(--card); color: inherit; text-decoration: none; }
.card a:hover { border-color: #a9b7c6; box-shadow: 0 6px 20px #0d2b4e21; }
.frame { position: relative; display: block; }
.photo { display: block; width: 100%; height: auto; aspect-ratio: 4 / 3; object-fit: cover; background: #e4e9ef; }
.photo.none { display: flex; align-items: center; justify-content: center; color: var(--soft); font-size: .95rem; }
.badge { display: inline-flex; align-items: center; gap: .3rem; padding: .1rem .55rem; border-radius: 6px; font-size: .82rem; font-weight: 600; }
.badge.offer, .badge.count { position: absolute; background: #ffffffeb; color: var(--ink); }
.badge.offer { top: .6rem; left: .6rem; }
.badge.count { right: .6rem; bottom: .6rem; background: #101923d1; color: #fff; }
.badge.dpe { background: #e8ecf1; color: var(--ink); }
.words { display: flex; flex: 1; flex-direction: column; gap: .1rem; padding: .8rem .9rem .9rem; }
.price { color: var(--deep); font-size: 1.25rem; font-weight: 700; }
.place { color: var(--soft); }
.facts { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .7rem; margin: auto 0 0; padding-top: .45rem; }

.back { margin: 0 0 .4rem; }
.back a { display: inline-flex; align-items: center; min-height: 44px; }
.beside { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem; }
article section, .head { margin-top: 1.6rem; }
.gallery { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .5rem; margin: 0; padding: 0; list-style: none; }
.gallery li:first-child, .gallery > .photo.none { grid-column: 1 / -1; }
.gallery a { position: relative; display: block; overflow: hidden; border-radius: 10px; }
.gallery li:first-child .photo { aspect-ratio: 16 / 10; }
.caption { position: absolute; left: .5rem; bottom: .5rem; padding: .05rem .5rem; border-radius: 6px; background: #101923d1; color: #fff; font-size: .82rem; }
.kind { margin: 0; color: var(--soft); font-weight: 600; }
.head .place { font-size: 1.05rem; }
.head .price { margin-top: .5rem; font-size: 1.7rem; line-height: 1.2; }
.head .facts span { padding: .15rem .65rem; border-radius: 99px; background: #e8ecf1; }
.note { color: var(--soft); font-size: .92rem; }

.scales { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: 1rem; }
.scale { padding: .9rem; border: 1px solid var(--line); border-radius: 12px; background: var(--card); }
.scale { margin: 0; } .scale svg { display: block; max-width: 100%; height: auto; margin-bottom: .6rem; }
.mentions { padding-left: 1.1rem; } .mentions li { margin: .3rem 0; }
.scale p { font-weight: 600; }
.dpe-A, .badge.dpe-A { background: #00a06d; color: #06140e; } .dpe-B, .badge.dpe-B { background: #52b153; color: #06140e; }
.dpe-C, .badge.dpe-C { background: #a5cc74; color: #06140e; } .dpe-D, .badge.dpe-D { background: #f4e70f; color: #1b1a00; }
.dpe-E, .badge.dpe-E { background: #f0b50f; color: #1b1400; } .dpe-F, .badge.dpe-F { background: #eb8235; color: #1d0f03; }
.dpe-G, .badge.dpe-G { background: #c81d1a; color: #fff; }

.particulars dl { margin: 0; border: 1px solid var(--line); border-radius: 12px; background: var(--card); overflow: hidden; }
.particulars dl > div { display: flex; gap: 1rem; padding: .55rem .9rem; border-top: 1px solid var(--line); }
.particulars dl > div:first-child { border-top: 0; }
dt { flex: 0 0 45%; color: var(--soft); }
dd { flex: 1; margin: 0; font-weight: 500; min-width: 0; }
dd a { display: inline-flex; align-items: center; min-height: 44px; }
.contact .button { margin: .3rem .3rem 0 0; }

.answer { border: 1px solid var(--line); border-radius: 12px; background: #0f1a26; color: #dfe8f1; overflow: hidden; }
.answer summary { display: flex; align-items: center; min-height: 44px; padding: .3rem 1rem; background: #16263a; font-weight: 600; cursor: pointer; }
.answer p { margin: .7rem 1rem 0; }
.answer code { color: #ffd38a; font: .85rem/1.4 ui-monospace, "DejaVu Sans Mono", monospace; }
pre { margin: 0; padding: .8rem 1rem 1rem; max-height: 34rem; overflow: auto; font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre-wrap; }
pre b { color: #8fc7ff; font-weight: 400; }
.problem { padding: 2rem 0; }

@media (min-width: 48rem) {
  h1 { font-size: 2rem; }
  .hero h1 { font-size: 2.3rem; }
  .gallery { grid-template-columns: repeat(4, minmax(0, 1fr)); }
}
@media (min-width: 68rem) {
  .beside { grid-template-columns: minmax(0, 1fr) 27rem; gap: 2rem; }
  aside { position: sticky; top: 1rem; align-self: start; }
  aside .feed { margin-top: 0; }
  pre { max-height: calc(100vh - 17rem); }
  .particulars dl { display: grid; grid-template-columns: 1fr 1fr; }
  .particulars dl > div:nth-child(2) { border-top: 0; }
  .particulars dl > div:nth-child(even) { border-left: 1px solid var(--line); }
}
@media (max-width: 30rem) {
  .filters { grid-template-columns: 1fr 1fr; }
  .filters label:first-child, .actions { grid-column: 1 / -1; }
  .top .wide { gap: 0; }
  .top nav { margin: 0 0 0 -.7rem; width: calc(100% + .7rem); }
  .heading .button { width: 100%; }
}
`;
