/** The pages' style, in a separate file because their policy forbids inline styles. */
export const STYLE = `
:root { color-scheme: light; --ink: #17222e; --soft: #55616f; --line: #dde3ea; --card: #fff; --accent: #0b5bbd; --deep: #0d2b4e; --state: #b42318; }
* { box-sizing: border-box; }
body { margin: 0; background: #f5f6f8; color: var(--ink); font: 16px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
.wide { max-width: 80rem; margin: 0 auto; padding: 0 1rem; }
h1 { margin: 0 0 .3rem; font-size: clamp(1.6rem, 4vw, 2rem); line-height: 1.2; }
h2 { margin: 1.4rem 0 .6rem; font-size: 1.2rem; }
p { margin: .3rem 0; } .feed p { margin: 0; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; padding: .7rem 1rem; background: var(--card); }
.skip:focus { left: .5rem; top: .5rem; z-index: 3; }
.top { background: var(--deep); }
.top .wide { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1.5rem; }
.top a { display: inline-flex; align-items: center; min-height: 52px; min-width: 44px; padding: 0 .7rem; color: #fff; text-decoration: none; }
.top .brand { padding-left: 0; font-weight: 700; font-size: 1.15rem; }
.top .brand span { margin-left: .5rem; padding: .05rem .5rem; border-radius: 99px; background: #ffffff2b; font-size: .78rem; font-weight: 500; }
.top nav { display: flex; margin-left: -.7rem; }
.top .links { margin-left: auto; }
.top nav a[aria-current] { box-shadow: inset 0 -3px #fff; font-weight: 600; }
main.wide { padding-top: 1.5rem; padding-bottom: 3rem; }
footer { padding: 1rem 0; border-top: 1px solid var(--line); background: var(--card); color: var(--soft); font-size: .92rem; }
.about, .place, .kind, dt { color: var(--soft); }
.button, button { display: inline-flex; align-items: center; justify-content: center; min-height: 44px; min-width: 44px; padding: .4rem 1.1rem; border: 1px solid var(--accent);
  border-radius: 8px; background: var(--accent); color: #fff; font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
.button.plain { background: var(--card); color: var(--accent); }
.feed { display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; margin: .8rem 0 1.1rem; padding: .55rem .9rem; border: 1px solid var(--line);
  border-left: 4px solid var(--state); border-radius: 8px; background: var(--card); font-size: .93rem; }
.feed.fresh { --state: #18794e; }
.feed.stale, .feed.held { --state: #8a5a00; }
.feed strong { color: var(--state); }
.feed .times { display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; color: var(--soft); }
.filters { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .8rem; align-items: end; padding: 1rem; border: 1px solid var(--line);
  border-radius: 12px; background: var(--card); }
.filters label { display: grid; gap: .25rem; min-width: 0; color: var(--soft); font-size: .9rem; }
select, input { width: 100%; min-height: 44px; padding: .4rem .6rem; border: 1px solid #8d99a6; border-radius: 8px; background: #fff; color: var(--ink); font: inherit; font-size: 1rem; }
.actions { display: flex; gap: .5rem; }
.actions > * { flex: 1; }
.pager { display: flex; flex-wrap: wrap; justify-content: center; gap: .7rem; margin-top: 1.6rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: 1.1rem; margin: 0; padding: 0; list-style: none; }
.card a { display: flex; flex-direction: column; height: 100%; overflow: hidden; border: 1px solid var(--line); border-radius: 12px; background: var(--card);
  color: inherit; text-decoration: none; }
.frame { position: relative; }
.photo { display: block; width: 100%; height: auto; aspect-ratio: 4 / 3; object-fit: cover; background: #e4e9ef; }
.photo.none { display: grid; place-items: center; color: var(--soft); }
.badge { padding: .1rem .55rem; border-radius: 6px; background: #e8ecf1; font-size: .82rem; font-weight: 600; }
.badge.offer { position: absolute; top: .6rem; left: .6rem; background: #ffffffeb; }
.words { display: flex; flex: 1; flex-direction: column; gap: .1rem; padding: .8rem .9rem .9rem; }
.price { color: var(--deep); font-size: 1.25rem; font-weight: 700; }
.facts { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .7rem; margin: auto 0 0; padding-top: .45rem; }
.back a { display: inline-flex; align-items: center; min-height: 44px; }
article .kind { margin-top: 1.2rem; font-weight: 600; } article .price { font-size: 1.7rem; }
article section p { max-width: 48rem; }
article .button { margin: .8rem .6rem .8rem 0; }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(45%, 14rem), 1fr)); gap: .5rem; margin: 0; padding: 0; list-style: none; }
.gallery li:first-child { grid-column: span 2; grid-row: span 2; }
.gallery .photo { height: 100%; border-radius: 10px; }
.scale, dl { margin: 0; border: 1px solid var(--line); border-radius: 12px; background: var(--card); }
figure.scale { margin-bottom: .8rem; padding: .9rem; font-weight: 600; }
.scale svg { display: block; max-width: 30rem; margin-bottom: .5rem; font-size: 14px; }
.chosen { fill: none; stroke: #111; stroke-width: 3; }
dl > div { display: flex; gap: 1rem; padding: .55rem .9rem; }
dl > div + div { border-top: 1px solid var(--line); }
dt { flex: 0 0 40%; }
dd { margin: 0; font-weight: 500; }
`;
